/// The two statements that remove a row and give it as it was.
///
/// `DELETE … RETURNING` would make a table for each row that it gives, which costs more than both.
struct RowRemover<Model: Codable> {
  let select: RowWriter
  let delete: RowWriter
  let decoder: RowDecoder

  /// Removes the row of a model's key; nil when there is none.
  func remove(_ model: Model) throws -> Model? {
    guard let held = try held(model) else { return nil }
    _ = try delete.write(model)
    return held
  }

  /// Gives the model that the table has under a model's key.
  func held(_ model: Model) throws -> Model? {
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
