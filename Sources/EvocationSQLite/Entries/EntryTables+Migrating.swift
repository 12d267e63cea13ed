internal import Evocation

// Checks migrations of the app.
extension EntryTables {
  /// Runs a migration, and throws if it removed a table that has entries.
  static func keepingTables<Value>(
    _ connection: Connection, _ body: () throws -> Value
  ) throws -> Value {
    let before = try queuesWithTables(connection)
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !connection.isOutsideTransaction, !before.isEmpty else { return value }
    let gone = before.subtracting(try queuesWithTables(connection)).sorted()
    let isQueue =
      "SELECT 1 FROM evocation_queues JOIN evocation_entries ON queue = number WHERE name = ?"
    guard let gone = try gone.first(where: { try connection.first(isQueue, [.text($0)]) != nil })
    else { return value }
    throw SQLiteError(
      .schemaMismatch,
      "Migrating the table \(gone.quoted) failed: the table no longer exists, and its outbox has "
        + "unsent writes; rename it with renameTable(_:to:), or send them first.")
  }

  /// Returns the queues whose tables exist.
  private static func queuesWithTables(_ connection: Connection) throws -> Set<String> {
    guard try connection.hasOwnTables() else { return [] }
    // SQL is not used here, because its lowercase only covers ASCII.
    let tables = try texts("SELECT name FROM sqlite_schema WHERE type = 'table'", connection)
    let queues = try texts("SELECT name FROM evocation_queues", connection)
    return Set(queues).intersection(tables.map { $0.lowercased() })
  }

  private static func texts(_ sql: String, _ connection: Connection) throws -> [String] {
    var texts: [String] = []
    try connection.rows(sql, [], reading) { statement in
      if case .text(let text) = statement.value(at: 0) { texts.append(text) }
      return true
    }
    return texts
  }
}
