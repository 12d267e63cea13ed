internal import Evocation

/// The mapping of a model that declares it itself.
struct MappingByHand<Model: SQLiteMappedModel>: RowMapping {
  private let plan: TablePlan

  /// Makes it, once the model's keys are the columns.
  init(_ plan: TablePlan) throws {
    self.plan = plan
    let names = Set(Model.CodingKeys.allCases.map(\.stringValue))
    for key in Model.CodingKeys.allCases where plan.position(key.stringValue) == nil {
      let name = key.stringValue
      throw EvocationError.unknownKey(
        name, model: plan.model, nearest: plan.schema.nearest(to: name))
    }
    for column in plan.columns where !names.contains(column.name) {
      throw EvocationError.unmappable(
        model: plan.model, property: column.name,
        reason: "its CodingKeys have no case of this name, so that the mapping by hand could "
          + "neither read nor write it")
    }
  }

  func read(_ decoder: RowDecoder) throws -> Model {
    let places = decoder.places ?? makePlaces(decoder)
    return try Model(row: SQLiteRowReader(RowCells(decoder, places)))
  }

  func write(_ model: Model, _ encoder: RowEncoder) throws {
    let places = encoder.places ?? makePlaces(encoder)
    places.beginRow()
    var row = SQLiteRowWriter<Model.CodingKeys>(RowParameters(encoder, places))
    try model.write(to: &row)
    try places.endRow()
  }

  @inline(never)
  private func makePlaces(_ decoder: RowDecoder) -> PlaceTable {
    let places = makePlaces(decoder.columns)
    decoder.places = places
    return places
  }

  @inline(never)
  private func makePlaces(_ encoder: RowEncoder) -> PlaceTable {
    let places = makePlaces(encoder.columns)
    encoder.places = places
    return places
  }

  private func makePlaces(_ columns: ColumnTable) -> PlaceTable {
    PlaceTable(columns, Model.CodingKeys.self, table: plan.table, model: plan.model)
  }
}
