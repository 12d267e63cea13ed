internal import Foundation

/// Decodes models from the rows of one statement; one is made for each statement.
final class RowDecoder: Decoder {
  /// The present row, behind a pointer so that no access to it is checked for exclusivity.
  let reader: UnsafeMutablePointer<ColumnReader>
  let columns: ColumnTable
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let json: JSONDecoder

  private var cachedKey: ObjectIdentifier?
  private var cached: UnsafeMutableRawPointer?
  private var dropCached: (() -> Void)?
  private var tables: [ObjectIdentifier: KeyTable] = [:]

  init(_ columns: ColumnTable) {
    self.columns = columns
    reader = .allocate(capacity: 1)
    reader.initialize(to: ColumnReader())
    json = JSONDecoder()
    json.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  deinit {
    reader.deinitialize(count: 1)
    reader.deallocate()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    if cachedKey == ObjectIdentifier(type), let cached {
      return cached.assumingMemoryBound(to: KeyedDecodingContainer<Key>.self).pointee
    }
    return makeContainer(type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self, "A row has keys, and the model asks for elements without.")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    RowValue(decoder: self)
  }

  /// Lets go of the containers, which hold the decoder themselves.
  func drop() {
    dropCached?()
    (cachedKey, cached, dropCached) = (nil, nil, nil)
  }

  func mismatch(_ type: Any.Type, _ description: String) -> DecodingError {
    .typeMismatch(type, .init(codingPath: [], debugDescription: description))
  }

  private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
    let id = ObjectIdentifier(type)
    let table = tables[id] ?? KeyTable(columns)
    tables[id] = table
    let container = KeyedDecodingContainer(
      RowContainer<Key>(decoder: self, keys: table, reader: reader))
    if cachedKey == nil {
      let pointer = UnsafeMutablePointer<KeyedDecodingContainer<Key>>.allocate(capacity: 1)
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
