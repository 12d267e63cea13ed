internal import Evocation
internal import Foundation

extension Connection {
  /// Runs the app's SQL, and then removes the models from lists that it deleted without triggers.
  func keepingLists<Value>(_ body: () throws -> Value) throws -> Value {
    removesUntold = false
    let value = try body()
    // If the SQL ended the transaction, the code that began it reports that.
    guard !isOutsideTransaction, try first(ListTables.isThere) != nil,
      try removesUntold || first(Self.replacing) != nil
    else { return value }
    for name in try listedTables() { try ListedTable(self, name).update() }
    return value
  }

  /// Records what a statement of the app may do.
  ///
  /// It may remove rows without running triggers. In a migration, it may change any table that it
  /// names.
  func note(_ sql: String, _ statement: Statement) {
    migrating?.append(sql)
    guard !removesUntold else { return }
    // Stored with the statement, because a cached statement runs many times.
    let removes =
      statement.removesUntold
      ?? Self.untold.contains { sql.range(of: $0, options: .caseInsensitive) != nil }
    statement.removesUntold = removes
    removesUntold = removes
  }

  private static let untold = ["REPLACE", "DROP", "RENAME"]

  /// The query for tables and triggers of the app that use REPLACE.
  private static let replacing = """
    SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'trigger') AND sql LIKE '%REPLACE%' AND name \
    NOT LIKE 'evocation_%' LIMIT 1
    """

  /// Returns the tables of models that have lists.
  private func listedTables() throws -> [String] {
    let models = try texts("SELECT DISTINCT model FROM evocation_lists")
    let tables = try texts(
      """
      SELECT name FROM sqlite_schema AS found WHERE type = 'table' AND EXISTS (SELECT 1 FROM \
      pragma_table_info(found.name) AS column WHERE column.name = 'id')
      """)
    return tables.filter { models.contains($0.lowercased()) }
  }

  private func texts(_ sql: String) throws -> [String] {
    var texts: [String] = []
    try rows(sql, [], ListTables.reading) { statement in
      if case .text(let text) = statement.value(at: 0) { texts.append(text) }
      return true
    }
    return texts
  }
}
