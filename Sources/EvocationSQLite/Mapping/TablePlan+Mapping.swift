extension TablePlan {
  /// Gives the model's own mapping, if it declares one, or else that of `Codable`.
  ///
  /// - Throws: `EvocationError` when the model's keys are not the columns.
  func mapping<Model: Codable>(of type: Model.Type) throws -> any RowMapping<Model> {
    guard let mapped = type as? any SQLiteMappedModel.Type else { return CodableMapping<Model>() }
    return try byHand(mapped) as? any RowMapping<Model> ?? CodableMapping<Model>()
  }

  private func byHand<Model: SQLiteMappedModel>(_ type: Model.Type) throws -> any RowMapping {
    try MappingByHand<Model>(self)
  }
}
