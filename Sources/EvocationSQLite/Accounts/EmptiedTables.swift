internal import Evocation
internal import Foundation

/// Deletes a user's data from a file, inside a transaction of one connection.
struct EmptiedTables {
  private static let action = "Signing out"
  private static let lists = ["evocation_pages", "evocation_list_drafts"]

  let connection: Connection
  /// The tables of models, as an intent names them.
  ///
  /// They may come from the file.
  let tables: [String]
  let unsent: StoreEmptying.UnsentWrites
  /// Whether other files are emptied too, so that unsent writes can no longer prevent it.
  let isTogether: Bool

  /// Deletes all rows of the tables, of lists and of the ledger, and the queues as `unsent`
  /// requires.
  ///
  /// Entries of the ledger that the app cleared stay: their source still has the data. The greatest
  /// date stays too, because it belongs to the device.
  func empty() throws {
    // A row may refer to a row of a table that is emptied later.
    try connection.execute("PRAGMA defer_foreign_keys = ON", Self.action)
    let known = try tableNames()
    for table in Self.lists { try delete(table, in: known) }
    for table in tables where !table.lowercased().hasPrefix("evocation_") {
      try delete(table, in: known)
    }
    if known["evocation_fetches"] != nil {
      try connection.run(
        "DELETE FROM evocation_fetches WHERE isInvalidated IS NOT 3 OR fetchedAt IS NOT ?",
        [.real(Date.distantPast.timeIntervalSinceReferenceDate)], Self.action)
    }
    let queues = tables.map { $0.lowercased() }
    let count = unsent == .stay ? try EntryTables.count(queues, connection) : 0
    if count > 0, !isTogether { throw EvocationError.unsentWrites(count) }
    // Writes that came after the files were found to have none wait for their user.
    guard unsent == .wait || count > 0 else { return try EntryTables.empty(queues, connection) }
    try EntryTables.forgetVersions(queues, connection)
    guard known["evocation_outbox"] != nil else { return }
    try connection.execute("UPDATE evocation_outbox SET isHeld = 1", Self.action)
  }

  private func delete(_ table: String, in known: [String: String]) throws {
    guard let name = known[table.lowercased()] else { return }
    try connection.execute("DELETE FROM \(name.quoted)", Self.action)
  }

  /// Returns the names of the file's own tables, by their names in lowercase.
  private func tableNames() throws -> [String: String] {
    var names: [String: String] = [:]
    let sql = """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    try connection.rows(sql, [], Self.action) { statement in
      if case .text(let name) = statement.value(at: 0) { names[name.lowercased()] = name }
      return true
    }
    return names
  }
}
