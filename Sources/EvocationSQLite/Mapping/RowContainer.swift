internal import Foundation

/// The keyed container of a row: each key is a column.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  unowned(unsafe) let decoder: RowDecoder  // it outlives its containers, see `ContainerCache`
  unowned(unsafe) let keys: KeyTable  // the decoder holds it
  let reader: UnsafeMutablePointer<ColumnReader>

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    decoder.columns.columns.compactMap { column in
      let entry = decoder.columns.entry(column.name)
      guard entry >= 0, !reader.pointee.isNull(entry & ~KeyTable.jsonFlag) else { return nil }
      return Key(stringValue: column.name)
    }
  }

  /// Null counts as absent, as it does in ``allKeys``: rows older than a column have nothing there.
  func contains(_ key: Key) -> Bool {
    let entry = keys.entry(key)
    return entry >= 0 && !reader.pointee.isNull(entry & ~KeyTable.jsonFlag)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    reader.pointee.isNull(try entry(key) & ~KeyTable.jsonFlag)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try ColumnDecoder(row: decoder, entry: entry(key)).value(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let entry = keys.entry(key)
    guard entry >= 0, !reader.pointee.isNull(entry & ~KeyTable.jsonFlag) else { return nil }
    return try ColumnDecoder(row: decoder, entry: entry).value(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try ColumnDecoder(row: decoder, entry: decoder.columns.entry("super")).nested()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try ColumnDecoder(row: decoder, entry: entry(key)).nested()
  }

  /// The key's column and flag.
  @inline(__always)
  func entry(_ key: Key) throws -> Int32 {
    let entry = keys.entry(key)
    if entry < 0 { throw missing(key) }
    return entry
  }

  /// The value of a column that is read without its own `init(from:)`.
  @inline(__always)
  func plain<Value: Decodable>(
    _ key: Key, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value {
    let entry = try entry(key)
    if entry < KeyTable.jsonFlag, let value = read(reader.pointee, entry) { return value }
    return try ColumnDecoder(row: decoder, entry: entry).unusual(Value.self)
  }

  /// The same, or nil where the column is absent or null.
  @inline(__always)
  func plainIfPresent<Value: Decodable>(
    _ key: Key, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value? {
    let entry = keys.entry(key)
    if entry < 0 { return nil }
    if entry < KeyTable.jsonFlag, let value = read(reader.pointee, entry) { return value }
    if reader.pointee.isNull(entry & ~KeyTable.jsonFlag) { return nil }
    return try ColumnDecoder(row: decoder, entry: entry).unusual(Value.self)
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: [], debugDescription: "The table has no column of this name."))
  }
}
