internal import Evocation

/// The mapping of a model that declares it itself.
struct MappingByHand<Model: SQLiteMappedModel>: RowMapping {
  private let plan: TablePlan

  /// Creates the mapping, after it has checked that the model's keys are the columns.
  init(_ plan: TablePlan) throws {
    self.plan = plan
    let names = Set(Model.CodingKeys.allCases.map(\.stringValue))
    for key in Model.CodingKeys.allCases where plan.schema[key.stringValue] == nil {
      let name = key.stringValue
      throw EvocationError.unknownKey(
        name, model: plan.model, nearest: plan.schema.nearest(to: name))
    }
    for column in plan.columns where !names.contains(column.name) {
      throw EvocationError.unmappable(
        model: plan.model, property: column.name,
        reason: "its CodingKeys have no case of this name, so the mapping by hand can "
          + "neither read nor write it")
    }
  }

  func read(_ decoder: RowDecoder) throws -> Model {
    let cells = decoder.mapped ?? MappedCells(decoder, of: Model.CodingKeys.self, in: plan)
    decoder.mapped = cells
    return try Model(row: SQLiteRowReader(cells))
  }

  func write(_ model: Model, _ encoder: RowEncoder) throws {
    let parameters =
      encoder.mapped ?? MappedParameters(encoder, of: Model.CodingKeys.self, in: plan)
    encoder.mapped = parameters
    parameters.beginRow()
    var row = SQLiteRowWriter<Model.CodingKeys>(parameters)
    try model.write(to: &row)
    try parameters.endRow()
  }
}
