/// The statement that reads the row of a model's key.
struct RowFinder<Model> {
  let select: RowWriter<Model>
  let decoder: RowDecoder

  /// Whether the table has a row under a model's key.
  func finds(_ model: Model) throws -> Bool {
    defer { select.statement.reset() }
    return try select.step(model)
  }

  /// Reads what the table has under a model's key; nil when there is none.
  func held(_ model: Model) throws -> Model? {
    let statement = select.statement
    defer {
      decoder.reader.pointee.handle = nil
      statement.reset()
    }
    guard try select.step(model) else { return nil }
    decoder.reader.pointee.handle = statement.handle
    return try select.mapping.read(decoder)
  }
}
