internal import Evocation

/// Reads a model from rows, and writes it to them.
protocol RowMapping<Model>: Sendable {
  associatedtype Model

  /// Reads a model from the decoder's present row.
  func read(_ decoder: RowDecoder) throws -> Model

  /// Writes a model to the encoder's parameters.
  func write(_ model: Model, _ encoder: RowEncoder) throws
}

/// The mapping of a model by its `Codable` implementation.
struct CodableMapping<Model: Codable>: RowMapping {
  func read(_ decoder: RowDecoder) throws -> Model { try Model(from: decoder.model) }

  func write(_ model: Model, _ encoder: RowEncoder) throws {
    try encoder.model.encode(model)
    if !encoder.model.unplaced.isEmpty, encoder.layout.isWhole {
      try check(encoder.model.unplaced, of: model)
    }
  }

  /// Throws if the table would lose a value of the model.
  @inline(never)
  private func check(_ keys: [String], of model: Model) throws {
    guard let key = try ModelSchema.unlearned(keys, of: model) else { return }
    throw EvocationError.unmappable(
      model: "\(Model.self)", property: key,
      reason: "its table has no column for this key, which the type reads for some values only; "
        + "make \(Model.self) conform to CodableExample with one example of each shape, or read the "
        + "key with decodeIfPresent for every value")
  }
}

extension TablePlan {
  /// Returns the model's own mapping if it declares one, or else the one of `Codable`.
  ///
  /// - Throws: `EvocationError` if the model's keys are not the columns.
  func mapping<Model: Codable>(of type: Model.Type) throws -> any RowMapping<Model> {
    // A type that does not say how it is stored does not map itself either, and each question costs
    // a look through the whole program ("launch").
    guard isDeclared, let mapped = type as? any SQLiteMappedModel.Type else {
      return CodableMapping<Model>()
    }
    return try byHand(mapped) as? any RowMapping<Model> ?? CodableMapping<Model>()
  }

  private func byHand<Model: SQLiteMappedModel>(_ type: Model.Type) throws -> any RowMapping {
    try MappingByHand<Model>(self)
  }
}
