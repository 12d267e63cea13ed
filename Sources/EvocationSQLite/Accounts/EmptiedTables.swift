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
    try connection.makeOwnTables()
    // A row may refer to a row of a table that is emptied later.
    try connection.execute("PRAGMA defer_foreign_keys = ON", Self.action)
    let own = tables.filter { !$0.lowercased().hasPrefix("evocation_") }
    for table in Self.lists + own {
      guard case .text(let name)? = try connection.first(Self.named, [.text(table)]) else {
        continue
      }
      try connection.execute("DELETE FROM \(name.quoted)", Self.action)
    }
    try connection.run(
      "DELETE FROM evocation_fetches WHERE isInvalidated IS NOT 3 OR fetchedAt IS NOT ?",
      [.real(Date.distantPast.timeIntervalSinceReferenceDate)], Self.action)
    let queues = tables.map { $0.lowercased() }
    let count = unsent == .stay ? try EntryTables.count(queues, connection) : 0
    if count > 0, !isTogether { throw EvocationError.unsentWrites(count) }
    // Writes that came after the files were found to have none wait for their user.
    guard unsent == .wait || count > 0 else { return try EntryTables.empty(queues, connection) }
    try EntryTables.forgetVersions(queues, connection)
    try connection.execute("UPDATE evocation_outbox SET isHeld = 1", Self.action)
  }

  /// The query for a table of the file, which ignores the case of its name as SQLite does.
  private static let named = """
    SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND name NOT \
    LIKE 'sqlite\\_%' ESCAPE '\\'
    """
}
