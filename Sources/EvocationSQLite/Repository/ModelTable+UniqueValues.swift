internal import Evocation

extension ModelTable {
  /// Replaces the unique values in the rows of models with temporary ones that no row has.
  ///
  /// It is for rows that exchange values in a cycle, so that none of them can be first.
  func freeUniqueValues(of models: [Model], _ connection: Connection) throws {
    let columns = try plan.columns(in: Self.uniqueColumns(of: plan.table, connection))
    guard !columns.isEmpty else { return }
    let action = "Writing the table \(plan.table.quoted)"
    // References to these values are valid again before the transaction ends.
    try connection.execute("PRAGMA defer_foreign_keys = ON", action)
    let sql = plan.update(columns.map { ($0, $0.passingValue) })
    let writer = try writer(sql, connection, of: keyColumns)
    for model in models { _ = try writer.write(model) }
  }

  /// Returns what the unique indexes of a table cover: names of columns, and SQL for expressions.
  private static func uniqueColumns(
    of table: String, _ connection: Connection
  ) throws -> (names: Set<String>, expressions: [String]) {
    var (names, expressions) = (Set<String>(), [String]())
    try connection.rows(
      """
      SELECT part.name, found.sql FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS \
      part LEFT JOIN sqlite_schema AS found ON found.name = list.name AND found.type = 'index' WHERE \
      list."unique" AND list.origin <> 'pk' AND part.key
      """, [.text(table)], action: "Reading the schema"
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
  /// Returns the columns that unique indexes cover, without those of the key, which identify rows.
  ///
  /// It includes a column whose name is anywhere in the SQL of an index over an expression.
  fileprivate func columns(in unique: (names: Set<String>, expressions: [String])) -> [Column] {
    columns.indices.filter { !key.contains($0) }.map { columns[$0] }.filter { column in
      let name = column.name.lowercased()
      return unique.names.contains(name) || unique.expressions.contains { $0.contains(name) }
    }
  }
}

extension Column {
  /// SQL for a value that no row has, and that differs for each row.
  fileprivate var passingValue: String {
    guard isRequired else { return "NULL" }
    return switch kind.scalar {
    case .bool, .integer, .unsigned, .real, .date, .decimal: "random()"
    case .text, .url: "hex(randomblob(16))"
    case .uuid, .data: "randomblob(16)"
    // An object with none of the properties that an index may cover.
    case nil: "'{\"evocation_passing\":\"' || hex(randomblob(16)) || '\"}'"
    }
  }
}
