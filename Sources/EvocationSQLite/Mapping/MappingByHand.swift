internal import Evocation

/// The mapping of a model that declares it itself.
struct MappingByHand<Model: SQLiteMappedModel>: RowMapping {
  private let plan: TablePlan

  /// Creates the mapping, after it has checked that the model's keys are the columns.
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
        reason: "its CodingKeys have no case of this name, so the mapping by hand can "
          + "neither read nor write it")
    }
  }

  func read(_ decoder: RowDecoder) throws -> Model {
    let mapped = decoder.mapped ?? mappedColumns(decoder)
    return try Model(row: SQLiteRowReader(RowCells(decoder, mapped)))
  }

  func write(_ model: Model, _ encoder: RowEncoder) throws {
    let mapped = encoder.mapped ?? mappedColumns(encoder)
    mapped.beginRow()
    var row = SQLiteRowWriter<Model.CodingKeys>(RowParameters(encoder, mapped))
    try model.write(to: &row)
    try mapped.endRow()
  }

  @inline(never)
  private func mappedColumns(_ decoder: RowDecoder) -> MappedColumns {
    let mapped = mappedColumns(decoder.columns)
    decoder.mapped = mapped
    return mapped
  }

  @inline(never)
  private func mappedColumns(_ encoder: RowEncoder) -> MappedColumns {
    let mapped = mappedColumns(encoder.columns)
    encoder.mapped = mapped
    return mapped
  }

  private func mappedColumns(_ columns: ColumnMap) -> MappedColumns {
    MappedColumns(columns, of: Model.CodingKeys.self, table: plan.table, model: plan.model)
  }
}
