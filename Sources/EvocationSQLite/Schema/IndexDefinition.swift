internal import Evocation

/// An index with its name and SQL.
struct IndexDefinition {
  /// Contains the table and the keys, so that a changed declaration finds the existing index.
  let name: String
  let isUnique: Bool
  private let table: String
  private let keys: String
  private let body: String
  private let fullText: FullTextIndex?

  init(_ index: SQLiteIndex, _ plan: TablePlan) throws(EvocationError) {
    fullText = index.isFullText ? try FullTextIndex(index, plan) : nil
    table = plan.table
    isUnique = index.isUnique
    if let fullText {
      (name, keys, body) = (fullText.name, "", "")
      return
    }
    var (expressions, hasText) = ([String](), false)
    for key in index.keys {
      let target = try plan.schema.target(of: key)
      switch target.kind {
      case .list, .object:
        throw .unmappable(
          model: plan.model, property: key.name,
          reason: "an index takes single values, and it holds \(target.kind)")
      case .scalar, .json:
        let value = try SQLPredicate(plan: plan).expression(of: key).value
        let isText = target.kind.isText
        expressions.append(
          index.folded && isText ? Criteria.CompareOptions.like.folding(value) : value)
        hasText = hasText || isText
      }
    }
    guard !index.folded || hasText else {
      throw .unmappable(
        model: plan.model, property: index.keys.map(\.name).joined(separator: ","),
        reason: "a folded index takes text, and it holds none; remove folded: true")
    }
    guard !expressions.isEmpty else {
      throw .unmappable(
        model: plan.model, property: "", reason: "one of its indexes names no property")
    }
    keys = "(\(index.keys.map(\.name).joined(separator: ","))\(index.folded ? " folded" : ""))"
    name = plan.table + keys
    body = " ON \(plan.table.quoted) (\(expressions.joined(separator: ", ")))"
  }

  private var sql: String { "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name.quoted)\(body)" }

  /// Whether the index exists with the same definition.
  func isApplied(to connection: Connection) throws -> Bool {
    if let fullText { return try fullText.isApplied(to: connection) }
    return try found(connection).contains { $0.sql == sql }
  }

  /// Creates the index.
  ///
  /// It replaces the one of its name, and the one that it was while the table had another name.
  func apply(to connection: Connection) throws {
    if let fullText { return try fullText.apply(to: connection) }
    let action = "Making an index of the table \(table.quoted)"
    for former in try found(connection)
    where former.name.lowercased() == name.lowercased()
      || former.name.hasSuffix(keys) && former.sql.hasSuffix(body)
    {
      try connection.execute("DROP INDEX \(former.name.quoted)", action)
    }
    try connection.execute(sql, action)
  }

  /// Returns the indexes of the table.
  private func found(_ connection: Connection) throws -> [(name: String, sql: String)] {
    try connection.all(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE",
      [.text(table)], action: "Reading the schema"
    ) { (name: $0.text(at: 0) ?? "", sql: $0.text(at: 1) ?? "") }
  }
}
