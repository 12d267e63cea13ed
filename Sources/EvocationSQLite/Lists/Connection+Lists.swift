internal import Evocation

extension Connection {
  /// Runs the app's SQL, and then takes the ids of models that it removed out of their lists.
  ///
  /// It looks only through the lists of tables that a statement may have removed rows from.
  func keepingLists<Value>(_ body: () throws -> Value) throws -> Value {
    // A migration may change what the recorded ids mean.
    if migrating != nil { try PageTable.settle(self) }
    let before = totalChanges
    appWrites = AppWrites()
    defer { appWrites = nil }
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !isOutsideTransaction, migrating != nil || totalChanges != before,
      try hasOwnTables()
    else { return value }
    for (table, key) in try listedTables() where try mayLackRows(table, key) {
      try PageTable.takeOutMissing(ofTable: table, key: key, connection: self)
    }
    return value
  }

  /// Records what a statement of the app may have removed, also one that failed halfway.
  func recordWrites(of statement: Statement) {
    guard let appWrites, appWrites.last !== statement, !statement.isReadOnly else { return }
    self.appWrites?.add(try? tables(of: statement), of: statement)
  }

  /// Returns the tables that have lists, and that the app's SQL may have written, with their keys.
  private func listedTables() throws -> [(table: String, key: String)] {
    let isAny = migrating != nil || appWrites?.columns == nil
    let names =
      isAny
      ? try texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
      : appWrites?.columns?.keys.sorted() ?? []
    return try names.compactMap { table in
      guard
        try first("SELECT 1 FROM evocation_pages WHERE model = ? LIMIT 1", [.text(table)]) != nil
      else { return nil }
      let keys = try texts("SELECT name FROM pragma_table_info(?) WHERE pk > 0", [.text(table)])
      return keys.count == 1 ? (table, keys[0]) : nil
    }
  }

  /// Whether the app's SQL may have removed rows of a table, or changed their keys.
  private func mayLackRows(_ table: String, _ key: String) throws -> Bool {
    guard migrating == nil, let columns = appWrites?.columns?[table] else { return true }
    if !columns.isDisjoint(with: [StatementTables.wholeRow, "rowid", key.lowercased()]) {
      return true
    }
    // SQLite does not report rows that make room for others, by a statement or a definition.
    return try appWrites?.mayReplace == true
      || first(
        """
        SELECT 1 FROM (SELECT sql FROM sqlite_schema UNION ALL SELECT sql FROM sqlite_temp_schema) \
        WHERE sql LIKE '%replace%' LIMIT 1
        """) != nil
  }
}
