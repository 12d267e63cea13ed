internal import Foundation

#if canImport(SQLite3)
  internal import SQLite3
#else
  internal import CEvocationSQLite
#endif

/// Encodes models into the parameters of one statement; one is made for each statement.
final class RowEncoder: Encoder {
  /// The parameters, behind a pointer so that no access to them is checked for exclusivity.
  let writer: UnsafeMutablePointer<ParameterWriter>
  let columns: ColumnTable
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let json: JSONEncoder

  private var cachedKey: ObjectIdentifier?
  private var cached: UnsafeMutableRawPointer?
  private var dropCached: (() -> Void)?
  private var tables: [ObjectIdentifier: KeyTable] = [:]
  private var trees: [(entry: Int32, tree: JSONTree)] = []

  init(_ columns: ColumnTable) {
    self.columns = columns
    writer = .allocate(capacity: 1)
    writer.initialize(to: ParameterWriter())
    json = JSONEncoder()
    json.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    json.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  deinit {
    writer.pointee.free()
    writer.deinitialize(count: 1)
    writer.deallocate()
  }

  /// Binds what the model encodes to the statement's parameters, and null to those it leaves out.
  func bind(_ model: some Encodable, to statement: Statement, in connection: Connection) throws {
    writer.pointee.handle = statement.handle
    defer { writer.pointee.handle = nil }
    writer.pointee.begin()
    trees.removeAll(keepingCapacity: true)
    try model.encode(to: self)
    for (entry, tree) in trees {
      try write(json: tree, entry)
    }
    try connection.check(writer.pointee.failure, "Binding a value")
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if cachedKey == ObjectIdentifier(type), let cached {
      return cached.assumingMemoryBound(to: KeyedEncodingContainer<Key>.self).pointee
    }
    return makeContainer(type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONTree(codingPath: []).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ModelValue(encoder: self)
  }

  /// Gives an encoder whose JSON the column takes once the model is encoded.
  func tree(_ entry: Int32, _ key: any CodingKey) -> JSONTree {
    let tree = JSONTree(codingPath: [key])
    if entry >= 0 { trees.append((entry, tree)) }
    return tree
  }

  /// Writes any value as the column's JSON.
  func write(json value: some Encodable, _ entry: Int32) throws {
    let column = entry & ~KeyTable.jsonFlag
    let data = try json.encode(value)
    // The one thing that `JSONEncoder` writes and nobody can read is a decimal that is no number.
    if data.contains(UInt8(ascii: "N")), data.range(of: Data("NaN".utf8)) != nil,
      (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) == nil
    {
      let name = columns.columns[columns.positions[Int(column)]].name
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [ColumnKey(name)],
          debugDescription: "It holds a Decimal that is no number, which JSON cannot say."))
    }
    writer.pointee.json(data, column)
  }

  /// Lets go of the containers, which hold the encoder themselves.
  func drop() {
    dropCached?()
    (cachedKey, cached, dropCached) = (nil, nil, nil)
  }

  private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedEncodingContainer<Key> {
    let id = ObjectIdentifier(type)
    let table = tables[id] ?? KeyTable(columns)
    tables[id] = table
    let container = KeyedEncodingContainer(
      ParameterContainer<Key>(encoder: self, keys: table, writer: writer))
    if cachedKey == nil {
      let pointer = UnsafeMutablePointer<KeyedEncodingContainer<Key>>.allocate(capacity: 1)
      pointer.initialize(to: container)
      (cachedKey, cached) = (id, UnsafeMutableRawPointer(pointer))
      dropCached = {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
      }
    }
    return container
  }
}
