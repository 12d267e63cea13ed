internal import CEvocationSQLite
internal import Evocation
internal import Foundation

/// Encodes models into the parameters of one statement.
///
/// Each statement has its own.
///
/// The same code compares a model's encoded values with a row, so both use the same values.
final class RowEncoder: Encoder, StatementCoder {
  /// The parameters, behind a pointer so that Swift does not check accesses for exclusivity.
  let writer: UnsafeMutablePointer<ParameterWriter>
  let columns: ColumnMap
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let json: JSONEncoder

  /// The columns of a mapping by hand, created at its first write.
  var mapped: MappedColumns?

  private let containers: UnsafeMutablePointer<ContainerCache>
  private var tables: [KeyMap] = []
  private var trees: [(slot: ColumnSlot, tree: JSONTree)] = []
  private var comparison: RowComparison?
  private var text: RowJSON?

  init(_ columns: ColumnMap) {
    self.columns = columns
    containers = .allocate(capacity: 1)
    containers.initialize(to: ContainerCache())
    writer = .allocate(capacity: 1)
    writer.initialize(to: ParameterWriter())
    json = JSONEncoder()
    json.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    json.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  deinit {
    containers.deinitialize(count: 1)
    containers.deallocate()
    comparison?.free()
    writer.pointee.free()
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  /// Binds the model's encoded values to the statement's parameters, and null to those it omits.
  func bind<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, to statement: Statement,
    in connection: Connection
  ) throws {
    try bind(to: statement, in: connection) { try encode(model, mapping) }
  }

  /// Binds the encoded values of models to the parameters of a statement of as many rows.
  func bind<Model>(
    _ models: ArraySlice<Model>, by mapping: any RowMapping<Model>, to statement: Statement,
    in connection: Connection
  ) throws {
    try bind(to: statement, in: connection) {
      var row = 0
      // An index is used because the iterator of a generic array looks up its type for each
      // element.
      while row < models.count {
        writer.pointee.beginRow(row, of: columns.positions.count)
        try encode(models[models.startIndex + row], mapping)
        row += 1
      }
    }
  }

  /// Compares the model's encoded values with the present row of a statement that reads all
  /// columns.
  func compare<Model>(
    _ model: Model, by mapping: any RowMapping<Model>, with row: Statement, key: [Int]
  ) throws -> RowComparison.Outcome {
    var comparison = comparison ?? RowComparison(columnCount: columns.positions.count)
    comparison.begin(row)
    self.comparison = comparison
    writer.pointee.comparison = comparison
    defer { writer.pointee.comparison = nil }
    try encode(model, mapping)
    return comparison.outcome(key: key)
  }

  /// Passes the model's JSON object to `body`, with the columns' names as keys.
  ///
  /// Returns false, and does nothing, if `JSONEncoder` would write something else: a key is not a
  /// column, or occurs twice.
  func json<Model>(
    _ model: Model, by mapping: any RowMapping<Model>,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let text = text ?? RowJSON(columns.columns)
    self.text = text
    text.begin()
    writer.pointee.json = text
    defer { writer.pointee.json = nil }
    try encode(model, mapping)
    if text.isIrregular || tables.contains(where: \.hasUnknown) { return false }
    try text.finish(body)
    return true
  }

  private func bind(
    to statement: Statement, in connection: Connection, _ encode: () throws -> Void
  ) throws {
    writer.pointee.handle = statement.handle
    defer { writer.pointee.handle = nil }
    writer.pointee.begin()
    try encode()
    try connection.check(writer.pointee.failure, "Binding a value")
  }

  private func encode<Model>(_ model: Model, _ mapping: any RowMapping<Model>) throws {
    if !trees.isEmpty { trees.removeAll(keepingCapacity: true) }
    try mapping.write(model, self)
    for (slot, tree) in trees { try write(json: tree, slot) }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if let box = containers.pointee.box(for: type) {
      // The box is such a container, see `ContainerCache`.
      return unsafeBitCast(box, to: KeyedEncodingContainer<Key>.self)
    }
    return makeContainer(type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONTree(codingPath: []).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ModelValue(encoder: self)
  }

  /// Returns an encoder whose JSON is written to the column after the model is encoded.
  func tree(_ slot: ColumnSlot, _ key: any CodingKey) -> JSONTree {
    let tree = JSONTree(codingPath: [key])
    if slot.isThere {
      trees.append((slot, tree))
    } else {
      writer.pointee.json?.isIrregular = true
    }
    return tree
  }

  /// Writes any value as the column's JSON.
  func write(json value: some Encodable, _ slot: ColumnSlot) throws {
    let data = try json.encode(value)
    // `JSONEncoder` writes a decimal that is not a number, but no decoder can read it.
    if data.contains(UInt8(ascii: "N")), data.range(of: Data("NaN".utf8)) != nil,
      (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) == nil
    {
      let name = columns.column(slot.position)?.name ?? ""
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [AnyKey(name)],
          debugDescription: "It holds a Decimal that is not a number, which JSON cannot represent.")
      )
    }
    writer.pointee.json(data, slot.position)
  }

  /// Releases the containers.
  ///
  /// A model that has kept one keeps the encoder alive forever.
  func drop() {
    if containers.pointee.drop() { _ = Unmanaged.passRetained(self) }
  }

  private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    let table = KeyMap(columns)
    tables.append(table)
    let container = KeyedEncodingContainer(
      ParameterContainer<Key>(encoder: self, keys: table, writer: writer))
    containers.pointee.insert(container, for: type)
    return container
  }
}

/// The single-value container of a whole model, for one that encodes itself as another type.
struct ModelValue: SingleValueEncodingContainer {
  let encoder: RowEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}

  func encode<Value: Encodable>(_ value: Value) throws {
    try value.encode(to: encoder)
  }
}
