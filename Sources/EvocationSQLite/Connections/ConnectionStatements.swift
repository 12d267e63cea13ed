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
    let pragmas = KnownPragmas(of: self)
    for (index, sql) in configuration.connectionStatements.enumerated() {
      let start = "\(action) in \(file) failed: connection statement \(index + 1)"
      do {
        try pragmas.watching {
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
        throw refusal(resultCode, of: start, action: action)
      }
      guard isOutsideTransaction else {
        throw SQLiteError(.misuse, "\(start) leaves a transaction open; begin none here.")
      }
    }
  }

  private func refusal(_ resultCode: Int32, of start: String, action: String) -> SQLiteError {
    let code = SQLiteError.Code(resultCode: resultCode)
    guard [.misuse, .constraint, .other(resultCode & 0xFF)].contains(code) else {
      return SQLiteError(resultCode, action, file: file, message: "")
    }
    // SQLite's own message would quote the statement.
    return SQLiteError(
      code, "\(start) failed in SQLite with code \(resultCode); correct it.",
      resultCode: resultCode)
  }
}

/// The pragmas that the linked SQLite knows.
///
/// Others, which it would ignore, are refused.
private final class KnownPragmas {
  private(set) var refusedOne = false
  private let connection: Connection
  private let names: Set<String>
  /// Whether it encrypts, with pragmas that it does not list.
  private let encrypts: Bool

  init(of connection: Connection) {
    self.connection = connection
    encrypts = Self.texts("PRAGMA cipher_version", connection).contains { !$0.isEmpty }
    names = Set(Self.texts("PRAGMA pragma_list", connection))
  }

  /// Runs the body while SQLite calls `allows` before it sets a pragma, however that is written.
  func watching(_ body: () throws -> Void) rethrows {
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(connection.handle, onAuthorize, this)
    defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
    try body()
  }

  func allows(_ name: String) -> Bool {
    let isKnown = encrypts || names.contains(name.lowercased())
    if !isKnown { refusedOne = true }
    return isKnown
  }

  /// Returns the texts of the first column; none if the pragma is unknown, or returns nothing.
  private static func texts(_ sql: String, _ connection: Connection) -> [String] {
    var texts: [String] = []
    try? connection.rows(sql, [], action: "Reading the pragmas") { statement in
      if case .text(let text) = statement.value(at: 0) { texts.append(text) }
      return true
    }
    return texts
  }
}

private func onAuthorize(
  _ context: UnsafeMutableRawPointer?, _ action: Int32, name: UnsafePointer<CChar>?,
  _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?
) -> Int32 {
  guard action == SQLITE_PRAGMA, let context, let name else { return SQLITE_OK }
  let pragmas = Unmanaged<KnownPragmas>.fromOpaque(context).takeUnretainedValue()
  return pragmas.allows(String(cString: name)) ? SQLITE_OK : SQLITE_DENY
}
