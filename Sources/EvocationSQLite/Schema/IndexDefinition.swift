internal import Evocation

/// An index with its name and SQL.
struct IndexDefinition {
  /// Contains the table and the keys, so that a changed declaration finds the existing index.
  let name: String
  let isUnique: Bool
  private let table: String
  private let keys: String
  private let body: String

  init(_ index: SQLiteIndex, _ plan: TablePlan) throws(EvocationError) {
    var expressions: [String] = []
    for key in index.keys {
      let target = try plan.schema.target(of: key)
      switch target.kind {
      case .list, .object:
        throw .unmappable(
          model: plan.model, property: key.name,
          reason: "an index takes single values, and it holds \(target.kind)")
      case .scalar, .json:
        expressions.append(try SQLPredicate(plan: plan).expression(of: key).value)
      }
    }
    guard !expressions.isEmpty else {
      throw .unmappable(
        model: plan.model, property: "", reason: "one of its indexes names no property")
    }
    keys = "(\(index.keys.map(\.name).joined(separator: ",")))"
    name = plan.table + keys
    isUnique = index.isUnique
    table = plan.table
    body = " ON \(plan.table.quoted) (\(expressions.joined(separator: ", ")))"
  }

  private var sql: String { "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted)\(body)" }

  /// Creates the index, unless it exists with the same definition.
  func apply(to connection: Connection) throws {
    let found = try connection.first(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ? COLLATE NOCASE "
        + "AND tbl_name = ? COLLATE NOCASE",
      [.text(name), .text(table)])
    guard found != .text(sql) else { return }
    let action = "Making an index of the table \(table.quoted)"
    if found != nil { try connection.execute("DROP INDEX \(name.quoted)", action) }
    for former in try formerNames(connection) {
      try connection.execute("DROP INDEX \(former.quoted)", action)
    }
    try connection.execute(sql, action)
  }

  /// Returns the names that the index had while the table had another name.
  private func formerNames(_ connection: Connection) throws -> [String] {
    try connection.all(
      """
      SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND name \
      <> ? COLLATE NOCASE
      """, [.text(table), .text(name)], "Reading the schema"
    ) { statement in
      guard let name = statement.text(at: 0), name.hasSuffix(keys),
        let sql = statement.text(at: 1), sql.hasSuffix(body)
      else { return nil }
      return name
    }
  }
}
