/// One statement that is run for one model after the other.
struct RowWriter<Model> {
  let statement: Statement
  let encoder: RowEncoder
  let mapping: any RowMapping<Model>
  let connection: Connection
  let table: String

  /// Runs the statement with the model's values; gives whether it wrote a row.
  func write(_ model: Model) throws -> Bool {
    defer { statement.reset() }
    _ = try step(model)
    return connection.changes > 0
  }

  /// Runs a statement of as many rows as there are models; gives how many it wrote.
  func write(_ models: ArraySlice<Model>) throws -> Int64 {
    defer { statement.reset() }
    try encoder.bind(models, by: mapping, to: statement, in: connection)
    _ = try connection.step(statement, "Writing the table \(table.quoted)")
    return connection.changes
  }

  /// Begins to run the statement, which the caller has to reset; gives whether there is a row.
  func step(_ model: Model) throws -> Bool {
    try encoder.bind(model, by: mapping, to: statement, in: connection)
    return try connection.step(statement, "Writing the table \(table.quoted)")
  }
}
