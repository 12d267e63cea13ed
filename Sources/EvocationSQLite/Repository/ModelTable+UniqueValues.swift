internal import Evocation

extension ModelTable {
  /// Gives the rows of models other values, which no row has, in place of their unique ones.
  ///
  /// It is for rows that are each to get what another of them has, so that none can be first.
  func freeUniqueValues(of models: [Model], _ connection: Connection) throws {
    let columns = try plan.columns(in: Self.uniqueColumns(of: plan.table, connection))
    guard !columns.isEmpty else { return }
    let action = "Writing the table \(plan.table.quoted)"
    // What refers to these values finds them again before the transaction ends.
    try connection.execute("PRAGMA defer_foreign_keys = ON", action)
    let sql = try connection.statement(plan.update(columns.map { ($0, $0.passingValue) }), action)
    let writer = writer(sql, connection)
    for model in models { _ = try writer.write(model) }
  }

  /// What each unique index of a table is over: names of columns, and SQL for expressions.
  private static func uniqueColumns(
    of table: String, _ connection: Connection
  ) throws -> (names: Set<String>, expressions: [String]) {
    var (names, expressions) = (Set<String>(), [String]())
    try connection.rows(
      """
      SELECT part.name, found.sql FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS \
      part LEFT JOIN sqlite_schema AS found ON found.name = list.name AND found.type = 'index' WHERE \
      list."unique" AND list.origin <> 'pk' AND part.key
      """, [.text(table)], "Reading the schema"
    ) { statement in
      if case .text(let name) = statement.value(at: 0) {
        names.insert(name.lowercased())
      } else if case .text(let sql) = statement.value(at: 1) {
        expressions.append(sql.lowercased())
      }
      return true
    }
    return (names, expressions)
  }
}

extension TablePlan {
  /// The columns that unique indexes are over, without those of the key, which tell rows apart.
  ///
  /// One whose name stands anywhere in the SQL of an index over an expression is one of them.
  fileprivate func columns(in unique: (names: Set<String>, expressions: [String])) -> [Column] {
    columns.indices.filter { !key.contains($0) }.map { columns[$0] }.filter { column in
      let name = column.name.lowercased()
      return unique.names.contains(name) || unique.expressions.contains { $0.contains(name) }
    }
  }

  /// Changes columns of the row that has the key; the parameters are the key's columns.
  fileprivate func update(_ values: [(column: Column, sql: String)]) -> String {
    let set = values.map { "\($0.column.name.quoted) = \($0.sql)" }
    return "UPDATE \(table.quoted) SET \(set.joined(separator: ", ")) WHERE "
      + keyCondition { _ in "?" }
  }
}

extension Column {
  /// SQL for a value that no row has, of which each row gets another.
  fileprivate var passingValue: String {
    guard isRequired else { return "NULL" }
    return switch kind.scalar {
    case .bool, .integer, .unsigned, .real, .date, .decimal: "random()"
    case .text, .url: "hex(randomblob(16))"
    case .uuid, .data: "randomblob(16)"
    // An object that has nothing of what an index may be over.
    case nil: "'{\"evocation_passing\":\"' || hex(randomblob(16)) || '\"}'"
    }
  }
}
