internal import Evocation

/// Encodes models for one statement, whose parameters they become.
///
/// The same code compares a model with a row, so both use the same values.
final class RowEncoder {
  let layout: ModelLayout
  let model: ModelEncoder

  /// The columns of a mapping by hand, created at its first write.
  var mapped: MappedParameters?

  private let parameters = ParameterSink()
  private lazy var comparison = RowComparison(columnCount: layout.names.count)

  init(_ layout: ModelLayout) {
    self.layout = layout
    model = ModelEncoder(layout, into: parameters)
  }

  deinit {
    model.releaseContainers()
  }

  /// Binds the encoded values of models to the parameters of a statement of as many rows, and null
  /// to those they omit.
  func bind<Model>(
    _ models: ArraySlice<Model>, by mapping: any RowMapping<Model>, to statement: Statement,
    in connection: Connection
  ) throws {
    parameters.begin(statement)
    defer { parameters.end() }
    var row = 0
    // An index is used because the iterator of a generic array looks up its type for each element.
    while row < models.count {
      parameters.beginRow(row, of: layout.names.count)
      try mapping.write(models[models.startIndex + row], self)
      row += 1
    }
    try connection.check(parameters.failure, "Binding a value")
  }

  /// Does the same for one model, without a list of it (`prefetch 100,000`).
  func bind<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, to statement: Statement,
    in connection: Connection
  ) throws {
    parameters.begin(statement)
    defer { parameters.end() }
    parameters.beginRow(0, of: layout.names.count)
    try mapping.write(model, self)
    try connection.check(parameters.failure, "Binding a value")
  }

  /// Compares the row that would be written for the model with the present row of a statement that
  /// reads all columns.
  func compare<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, with row: Statement, key: [Int]
  ) throws -> RowComparison.Outcome {
    comparison.begin(row)
    self.model.sink = comparison
    defer { self.model.sink = parameters }
    try mapping.write(model, self)
    return comparison.end(key: key)
  }
}
