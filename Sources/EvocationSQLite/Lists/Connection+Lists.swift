internal import Evocation

extension Connection {
  /// Runs the app's SQL, and then takes the ids of models that it removed out of their lists.
  func keepingLists<Value>(_ body: () throws -> Value) throws -> Value {
    let before = totalChanges
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !isOutsideTransaction, migrating != nil || totalChanges != before,
      try hasOwnTables()
    else { return value }
    let listed = """
      SELECT name FROM sqlite_schema AS found WHERE type = 'table' AND EXISTS (SELECT 1 FROM \
      evocation_pages WHERE model = found.name) AND EXISTS (SELECT 1 FROM \
      pragma_table_info(found.name) AS part WHERE part.name = 'id')
      """
    for table in try texts(listed) { try PageTable.takeOutMissing(ofTable: table, self) }
    return value
  }
}
