internal import Evocation

/// Encodes models for one statement, whose parameters they become.
///
/// The same code compares a model with a row, and writes its JSON, so all use the same values.
final class RowEncoder {
  let layout: ModelLayout
  let model: ModelEncoder

  /// The columns of a mapping by hand, created at its first write.
  var mapped: MappedParameters?

  private let parameters = ParameterSink()
  private lazy var comparison = RowComparison(columnCount: layout.names.count)
  private lazy var json = JSONSink(layout)

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

  /// Compares the model's encoded values with the present row of a statement that reads all
  /// columns.
  func compare<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, with row: Statement, key: [Int]
  ) throws -> RowComparison.Outcome {
    comparison.begin(row)
    try write(model, by: mapping, to: comparison)
    return comparison.end(key: key)
  }

  /// Passes the model's JSON object to `body`, with the columns' names as keys.
  ///
  /// Returns false, and does nothing, if `JSONEncoder` would write something else: a key is not a
  /// column, or occurs twice.
  func json<Model>(
    _ model: Model, by mapping: any RowMapping<Model>,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    json.begin()
    try write(model, by: mapping, to: json)
    if json.isIrregular || self.model.hasUnknown { return false }
    try json.finish(body)
    return true
  }

  private func write<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, to sink: any ValueSink
  ) throws {
    self.model.sink = sink
    defer { self.model.sink = parameters }
    try mapping.write(model, self)
  }
}
