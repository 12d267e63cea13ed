internal import Evocation

/// An index with its name and SQL.
struct IndexDefinition {
  /// Says which table and keys it is for, so that a changed declaration finds the index there.
  let name: String
  let isUnique: Bool
  private let table: String
  private let sql: String

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
    name = "\(plan.table)(\(index.keys.map(\.name).joined(separator: ",")))"
    isUnique = index.isUnique
    table = plan.table
    sql =
      "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(name.quoted) ON \(plan.table.quoted) "
      + "(\(expressions.joined(separator: ", ")))"
  }

  /// Makes the index, unless it is there with the same definition.
  func apply(to connection: Connection) throws {
    let found = try connection.first(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ? COLLATE NOCASE "
        + "AND tbl_name = ? COLLATE NOCASE",
      [.text(name), .text(table)])
    guard found != .text(sql) else { return }
    let action = "Making an index of the table \(table.quoted)"
    if found != nil { try connection.execute("DROP INDEX \(name.quoted)", action) }
    try connection.execute(sql, action)
  }
}
