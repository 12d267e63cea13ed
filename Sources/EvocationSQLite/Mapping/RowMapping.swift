/// How a model is read from rows and written to them.
protocol RowMapping<Model>: Sendable {
  associatedtype Model

  /// Reads a model from the decoder's present row.
  func read(_ decoder: RowDecoder) throws -> Model

  /// Writes a model to the encoder's parameters.
  func write(_ model: Model, _ encoder: RowEncoder) throws
}
