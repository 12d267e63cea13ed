internal import Evocation
internal import Foundation

/// Reads and writes the table of sign-outs that empty several files, on one connection.
///
/// A row is a sign-out. It has the intent until all files are emptied, and says whether this one is:
/// a file is emptied once for each sign-out, because a next user may have stored data in it.
struct SignOutTable {
  private static let action = "Signing out"

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Writes the intent, unless another process has already carried it out.
  func write(_ intent: SignOutIntent, of id: String) throws {
    try add(id, .blob([UInt8](try JSONEncoder().encode(intent))))
  }

  /// Empties this file, if that has not been done for the sign-out.
  func carryOut(_ id: String, _ tables: [String], unsent: StoreEmptying.UnsentWrites) throws {
    try add(id, .null)
    guard try !isDone(id) else { return }
    try connection.empty(tables, unsent, isTogether: true)
    try run("UPDATE evocation_sign_outs SET isDone = 1 WHERE id = ?", [.text(id)])
  }

  /// Returns whether this file is emptied for a sign-out; true if it does not know the sign-out.
  func isDone(_ id: String) throws -> Bool {
    guard try connection.hasOwnTables() else { return true }
    let isDone = try connection.first(
      "SELECT isDone FROM evocation_sign_outs WHERE id = ?", [.text(id)])
    return isDone != .integer(0)
  }

  /// Returns whether the file has a row of a sign-out.
  func has(_ id: String) throws -> Bool {
    let table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'evocation_sign_outs'"
    guard try connection.first(table) != nil else { return false }
    return try connection.first("SELECT 1 FROM evocation_sign_outs WHERE id = ?", [.text(id)])
      != nil
  }

  /// Takes the intent back, or forgets it after all files are emptied.
  ///
  /// Of one that was taken back, no row stays that others could take for a sign-out.
  func end(_ id: String) throws {
    guard try connection.hasOwnTables() else { return }
    try run("DELETE FROM evocation_sign_outs WHERE id = ? AND isDone = 0", [.text(id)])
    try run("UPDATE evocation_sign_outs SET intent = NULL WHERE id = ?", [.text(id)])
  }

  /// Forgets all intents, as a copy of the file does, which takes no part in a sign-out.
  func endAll() throws {
    for (id, _) in try pending() { try end(id) }
  }

  /// Returns the sign-outs whose intents are there; an intent is nil if it cannot be read.
  func pending() throws -> [(id: String, intent: SignOutIntent?)] {
    guard try connection.hasOwnTables() else { return [] }
    let sql = "SELECT id, intent FROM evocation_sign_outs WHERE intent IS NOT NULL ORDER BY number"
    return try connection.all(sql, [], action: Self.action) { statement in
      let intent = Data(statement.blobBytes(at: 1))
      return statement.text(at: 0).map {
        ($0, try? JSONDecoder().decode(SignOutIntent.self, from: intent))
      }
    }
  }

  private func add(_ id: String, _ intent: SQLValue) throws {
    try connection.makeOwnTables()
    try run(
      "INSERT OR IGNORE INTO evocation_sign_outs (id, isDone, intent) VALUES (?, 0, ?)",
      [.text(id), intent])
  }

  private func run(_ sql: String, _ values: [SQLValue]) throws {
    try connection.run(sql, values, action: Self.action)
  }
}
