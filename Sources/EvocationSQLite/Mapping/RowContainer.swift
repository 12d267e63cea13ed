internal import Foundation

/// The keyed container of a row: each key is a column.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  unowned(unsafe) let decoder: RowDecoder  // it outlives its containers, see `ContainerCache`
  unowned(unsafe) let keys: KeyMap  // the decoder holds it
  let reader: UnsafeMutablePointer<ColumnReader>

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    decoder.columns.columns.compactMap { column in
      let slot = decoder.columns.slot(column.name)
      guard slot.isThere, !reader.pointee.isNull(slot.position) else { return nil }
      return Key(stringValue: column.name)
    }
  }

  /// Returns whether the column has a value.
  ///
  /// Null counts as absent, as in rows older than the column.
  func contains(_ key: Key) -> Bool {
    let slot = keys.slot(key)
    return slot.isThere && !reader.pointee.isNull(slot.position)
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    reader.pointee.isNull(try slot(key).position)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try ColumnDecoder(row: decoder, slot: slot(key)).value(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let slot = keys.slot(key)
    guard slot.isThere, !reader.pointee.isNull(slot.position) else { return nil }
    return try ColumnDecoder(row: decoder, slot: slot).value(type)
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
    try ColumnDecoder(row: decoder, slot: decoder.columns.slot("super")).nested()
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try ColumnDecoder(row: decoder, slot: slot(key)).nested()
  }

  /// Returns the slot of the key's column, or throws if the statement does not have it.
  @inline(__always)
  func slot(_ key: Key) throws -> ColumnSlot {
    let slot = keys.slot(key)
    if !slot.isThere { throw missing(key) }
    return slot
  }

  /// Returns the value of a column that is read without the type's own `init(from:)`.
  @inline(__always)
  func plain<Value: Decodable>(
    _ key: Key, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value {
    let slot = keys.slot(key)
    if slot.isPlain, let value = read(reader.pointee, slot.position) { return value }
    return try ColumnDecoder(row: decoder, slot: self.slot(key)).unusual(Value.self)
  }

  /// Does the same; nil if the column is absent or null.
  @inline(__always)
  func plainIfPresent<Value: Decodable>(
    _ key: Key, _ read: (ColumnReader, Int32) -> Value?
  ) throws -> Value? {
    let slot = keys.slot(key)
    if slot.isPlain, let value = read(reader.pointee, slot.position) { return value }
    if !slot.isThere || reader.pointee.isNull(slot.position) { return nil }
    return try ColumnDecoder(row: decoder, slot: slot).unusual(Value.self)
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: [], debugDescription: "The table has no column of this name."))
  }
}
