internal import Foundation

/// Decodes models from the rows of one statement.
///
/// Each statement has its own.
final class RowDecoder: Decoder, StatementCoder {
  /// The present row, behind a pointer so that Swift does not check accesses for exclusivity.
  let reader: UnsafeMutablePointer<ColumnReader>
  let columns: ColumnMap
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let json: JSONDecoder

  /// The columns of a mapping by hand, created at its first read.
  var mapped: MappedColumns?

  private let containers: UnsafeMutablePointer<ContainerCache>
  private var tables: [KeyMap] = []

  init(_ columns: ColumnMap) {
    self.columns = columns
    containers = .allocate(capacity: 1)
    containers.initialize(to: ContainerCache())
    reader = .allocate(capacity: 1)
    reader.initialize(to: ColumnReader())
    json = JSONDecoder()
    json.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  deinit {
    containers.deinitialize(count: 1)
    containers.deallocate()
    reader.deinitialize(count: 1)
    reader.deallocate()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if let box = containers.pointee.box(for: type) {
      // The box is such a container, see `ContainerCache`.
      return unsafeBitCast(box, to: KeyedDecodingContainer<Key>.self)
    }
    return makeContainer(type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self, "A row has keys, and the model asks for elements without keys.")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    RowValue(decoder: self)
  }

  /// Releases the containers.
  ///
  /// A model that has kept one keeps the decoder alive forever.
  func drop() {
    if containers.pointee.drop() { _ = Unmanaged.passRetained(self) }
  }

  func mismatch(_ type: Any.Type, _ description: String) -> DecodingError {
    .typeMismatch(type, .init(codingPath: [], debugDescription: description))
  }

  private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    let table = KeyMap(columns)
    tables.append(table)
    let container = KeyedDecodingContainer(
      RowContainer<Key>(decoder: self, keys: table, reader: reader))
    containers.pointee.insert(container, for: type)
    return container
  }
}

/// The single-value container of a whole row, for a model that decodes itself as another type.
struct RowValue: SingleValueDecodingContainer {
  let decoder: RowDecoder

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Value(from: decoder)
  }
}
