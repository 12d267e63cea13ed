internal import CEvocationSQLite

/// The app's statements that run on each connection before any other.
///
/// They may contain a key, so errors contain nothing of their text, and none stays prepared.
struct ConnectionStatements: Sendable {
  private let statements: [String]

  init(_ configuration: SQLiteDatabase.Configuration) {
    statements = configuration.connectionStatements
  }

  /// Runs the statements in their order.
  ///
  /// - Parameters:
  ///   - handle: A connection that was just opened.
  ///   - action: What fails if a statement fails, such as "Opening the database".
  ///   - file: The name of the file in sentences.
  /// - Throws: ``SQLiteError``, which names a statement by its number.
  func run(on handle: OpaquePointer, _ action: String, file: String) throws {
    guard !statements.isEmpty else { return }
    let pragmas = KnownPragmas(of: handle)
    for (index, statement) in statements.enumerated() {
      let failure = pragmas.watching(handle) { Self.run(statement, on: handle, pragmas) }
      guard let failure else { continue }
      let name = "connection statement \(index + 1)"
      throw failure.error("\(action) in \(file) failed: \(name)", action, file)
    }
  }

  private static func run(
    _ sql: String, on handle: OpaquePointer, _ pragmas: KnownPragmas
  ) -> Failure? {
    guard !sql.utf8.contains(0) else { return .notOne }
    var prepared: OpaquePointer?
    var isLast = false
    let code = sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &tail)
      isLast = tail.map { Self.isBlank($0) } ?? true
      return code
    }
    defer { sqlite3_finalize(prepared) }
    guard !pragmas.refusedOne else { return .unknownPragma }
    guard code == SQLITE_OK else { return .refused(sqlite3_extended_errcode(handle)) }
    guard let prepared, isLast else { return .notOne }
    var last = SQLITE_ROW
    while last == SQLITE_ROW { last = sqlite3_step(prepared) }
    guard last == SQLITE_DONE else { return .refused(last) }
    return sqlite3_get_autocommit(handle) == 0 ? .openTransaction : nil
  }

  private static func isBlank(_ rest: UnsafePointer<CChar>) -> Bool {
    var next = rest
    while next.pointee == 0x20 || next.pointee == 0x3B || (0x09...0x0D).contains(next.pointee) {
      next += 1
    }
    return next.pointee == 0
  }
}

extension ConnectionStatements {
  private enum Failure {
    case unknownPragma
    case notOne
    case openTransaction
    case refused(Int32)

    func error(_ start: String, _ action: String, _ file: String) -> SQLiteError {
      switch self {
      case .unknownPragma:
        return SQLiteError(
          .misuse,
          "\(start) sets a pragma that the linked SQLite does not know and would ignore; link one "
            + "that knows it, such as SQLCipher for a key.")
      case .notOne:
        return SQLiteError(
          .misuse, "\(start) is not one statement; write each SQL statement as an entry of its own."
        )
      case .openTransaction:
        return SQLiteError(
          .misuse, "\(start) leaves a transaction open; begin none here.")
      case .refused(let resultCode):
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
  func watching<Value>(_ handle: OpaquePointer, _ body: () -> Value) -> Value {
    sqlite3_set_authorizer(handle, onAuthorize, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    return body()
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
