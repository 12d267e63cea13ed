internal import Evocation

// Checks migrations of the app.
extension EntryTables {
  /// Runs a migration, and throws if it removed a table that has entries.
  static func keepingTables<Value>(
    _ connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    let before = try queuesWithoutTable(connection)
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !connection.isOutsideTransaction,
      let gone = try queuesWithoutTable(connection).subtracting(before).min()
    else { return value }
    throw SQLiteError(
      .schemaMismatch,
      "Migrating the table \(gone.quoted) failed: the table no longer exists, and its outbox has "
        + "unsent writes; rename it with renameTable(_:to:), or send them first.")
  }

  /// Returns the queues that have entries and no table.
  private static func queuesWithoutTable(_ connection: Connection) throws -> Set<String> {
    guard try connection.hasOwnTables() else { return [] }
    // SQL is not used here, because its lowercase only covers ASCII.
    let tables = try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
    let queues = try Set(connection.texts("SELECT name FROM evocation_queues"))
    return try queues.subtracting(tables.map { $0.lowercased() })
      .filter { try count([$0], connection) > 0 }
  }
}
