/// One statement that is run for one model after the other.
struct RowWriter {
  let statement: Statement
  let encoder: RowEncoder
  let connection: Connection
  let table: String

  /// Runs the statement with the model's values; gives whether it wrote a row.
  func write(_ model: some Encodable) throws -> Bool {
    defer { statement.reset() }
    _ = try step(model)
    return connection.changes > 0
  }

  /// Begins to run the statement, which the caller has to reset; gives whether there is a row.
  func step(_ model: some Encodable) throws -> Bool {
    try encoder.bind(model, to: statement, in: connection)
    return try connection.step(statement, "Writing the table \(table.quoted)")
  }
}

/// The two statements that remove a row and give it as it was.
///
/// `DELETE … RETURNING` would make a table for each row that it gives, which costs more than both.
struct RowRemover<Model: Codable> {
  let select: RowWriter
  let delete: RowWriter
  let decoder: RowDecoder

  /// Removes the row of a model's key; nil when there is none.
  func remove(_ model: Model) throws -> Model? {
    guard let held = try read(model) else { return nil }
    _ = try delete.write(model)
    return held
  }

  private func read(_ model: Model) throws -> Model? {
    let statement = select.statement
    defer {
      decoder.reader.pointee.handle = nil
      statement.reset()
    }
    guard try select.step(model) else { return nil }
    decoder.reader.pointee.handle = statement.handle
    return try Model(from: decoder)
  }
}
