/// The mapping of a model by what `Codable` says of it.
struct CodableMapping<Model: Codable>: RowMapping {
  func read(_ decoder: RowDecoder) throws -> Model { try Model(from: decoder) }

  func write(_ model: Model, _ encoder: RowEncoder) throws { try model.encode(to: encoder) }
}
