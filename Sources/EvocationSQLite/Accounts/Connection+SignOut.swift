internal import Evocation
internal import Foundation

extension Connection {
  /// Deletes a user's data, inside a transaction.
  ///
  /// It deletes all rows of the tables, of lists and of the ledger, and the queues as `unsent`
  /// requires. Entries of the ledger that the app cleared stay: their source still has the data. The
  /// greatest date stays too, because it belongs to the device. The names of the tables may come
  /// from the file. If other files are emptied too, unsent writes can no longer prevent it.
  func empty(
    _ tables: [String], _ unsent: StoreEmptying.UnsentWrites, isTogether: Bool
  ) throws {
    let action = "Signing out"
    try makeOwnTables()
    // A row may refer to a row of a table that is emptied later.
    try execute("PRAGMA defer_foreign_keys = ON", action)
    let own = tables.filter { !$0.lowercased().hasPrefix("evocation_") }
    // SQLite ignores the case of names.
    let named = """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE AND name NOT \
      LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    for table in ["evocation_pages", "evocation_removals"] + own {
      for name in try texts(named, [.text(table)]) {
        try execute("DELETE FROM \(name.quoted)", action)
        try FullTextIndex.eraseWords(of: name, self, action: action)
      }
    }
    try run(
      "DELETE FROM evocation_fetches WHERE isInvalidated IS NOT 3 OR fetchedAt IS NOT ?",
      [.real(Date.distantPast.timeIntervalSinceReferenceDate)], action: action)
    let queues = tables.map { $0.lowercased() }
    let count = unsent == .stay ? try EntryTables.count(queues, self) : 0
    if count > 0, !isTogether { throw EvocationError.unsentWrites(count) }
    // Writes that came after the files were found to have none wait for their user.
    guard unsent == .wait || count > 0 else { return try EntryTables.empty(queues, self) }
    try EntryTables.forgetVersions(queues, self)
    try execute("UPDATE evocation_outbox SET isHeld = 1", action)
  }

  /// Runs a transaction whose commit waits for the disk, independent of the configuration.
  ///
  /// Otherwise a power cut could leave a sign-out of several files half done.
  func durably<Value>(_ body: () throws -> Value) throws -> Value {
    let action = "Signing out"
    guard let before = try integer("PRAGMA synchronous"),
      let wasFull = try integer("PRAGMA fullfsync")
    else { return try body() }
    defer {
      try? execute("PRAGMA synchronous = \(before)", action)
      try? execute("PRAGMA fullfsync = \(wasFull)", action)
    }
    try execute("PRAGMA synchronous = FULL", action)
    // On Apple's systems, `fsync` leaves written bytes in the drive's cache.
    try execute("PRAGMA fullfsync = 1", action)
    return try body()
  }
}
