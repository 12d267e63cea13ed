internal import CEvocationSQLite

extension Connection {
  /// Runs the app's statements, before any other, in their order.
  ///
  /// They may contain a key, so errors contain nothing of their text, and none stays prepared.
  ///
  /// - Parameter action: What fails if a statement fails, such as "Opening the database".
  /// - Throws: ``SQLiteError``, which names a statement by its number.
  func runConnectionStatements(_ action: String) throws {
    guard !configuration.connectionStatements.isEmpty else { return }
    let pragmas = KnownPragmas(of: handle)
    for (index, sql) in configuration.connectionStatements.enumerated() {
      let start = "\(action) in \(file) failed: connection statement \(index + 1)"
      do {
        try pragmas.watching(handle) {
          let statement = try prepare(sql) { action }
          while try step(statement, action) {}
        }
      } catch let error as SQLiteError {
        guard !pragmas.refusedOne else {
          throw SQLiteError(
            .misuse,
            "\(start) sets a pragma that the linked SQLite does not know and would ignore; link one "
              + "that knows it, such as SQLCipher for a key.")
        }
        guard let resultCode = error.resultCode else {
          throw SQLiteError(
            .misuse,
            "\(start) is not one statement; write each SQL statement as an entry of its own.")
        }
        throw refusal(resultCode, of: start, action)
      }
      guard isOutsideTransaction else {
        throw SQLiteError(.misuse, "\(start) leaves a transaction open; begin none here.")
      }
    }
  }

  private func refusal(_ resultCode: Int32, of start: String, _ action: String) -> SQLiteError {
    let code = SQLiteError.Code(resultCode: resultCode)
    guard [.misuse, .constraint, .other(resultCode & 0xFF)].contains(code) else {
      return SQLiteError(resultCode, action, file: file, message: "")
    }
    // SQLite's own message would quote the statement.
    return SQLiteError(
      code, resultCode: resultCode,
      "\(start) failed in SQLite with code \(resultCode); correct it.")
  }
}

/// The pragmas that the linked SQLite knows.
///
/// Others, which it would ignore, are refused.
private final class KnownPragmas {
  private(set) var refusedOne = false
  private var names: Set<String> = []
  /// Whether it encrypts, with pragmas that it does not list.
  private var encrypts = false

  init(of handle: OpaquePointer) {
    encrypts = Self.texts("PRAGMA cipher_version", 0, handle).contains { !$0.isEmpty }
    names = Set(Self.texts("PRAGMA pragma_list", 0, handle))
  }

  /// Runs the body while SQLite calls `allows` before it sets a pragma, however that is written.
  func watching(_ handle: OpaquePointer, _ body: () throws -> Void) rethrows {
    sqlite3_set_authorizer(handle, onAuthorize, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    try body()
  }

  func allows(_ name: String) -> Bool {
    let isKnown = encrypts || names.contains(name.lowercased())
    if !isKnown { refusedOne = true }
    return isKnown
  }

  /// Returns the texts of a column; none if the pragma is unknown, or returns nothing.
  private static func texts(_ sql: String, _ column: Int32, _ handle: OpaquePointer) -> [String] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK else { return [] }
    defer { sqlite3_finalize(prepared) }
    var texts: [String] = []
    while sqlite3_step(prepared) == SQLITE_ROW {
      if let text = sqlite3_column_text(prepared, column) { texts.append(String(cString: text)) }
    }
    return texts
  }
}

private func onAuthorize(
  _ context: UnsafeMutableRawPointer?, _ action: Int32, _ name: UnsafePointer<CChar>?,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
  guard action == SQLITE_PRAGMA, let context, let name else { return SQLITE_OK }
  let pragmas = Unmanaged<KnownPragmas>.fromOpaque(context).takeUnretainedValue()
  return pragmas.allows(String(cString: name)) ? SQLITE_OK : SQLITE_DENY
}
