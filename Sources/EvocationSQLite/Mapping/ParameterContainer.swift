/// The keyed container of a row that is written: each key is a parameter.
struct ParameterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  unowned(unsafe) let encoder: RowEncoder  // it outlives its containers, see `ContainerCache`
  unowned(unsafe) let keys: KeyTable  // the encoder holds it
  let writer: UnsafeMutablePointer<ParameterWriter>

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    let entry = keys.entry(key)
    if entry >= 0 { writer.pointee.null(entry & ~KeyTable.jsonFlag) }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let entry = keys.entry(key)
    if entry >= 0 { try ParameterEncoder(row: encoder, entry: entry).write(value) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return encodeNil(forKey: key) }
    try encode(value, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.tree(keys.entry(key), key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.tree(keys.entry(key), key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.tree(encoder.columns.entry("super"), ColumnKey("super"))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.tree(keys.entry(key), key)
  }

  /// Binds a value that columns hold as it is.
  @inline(__always)
  func plain<Value: Encodable>(
    _ value: Value, _ key: Key, _ write: (inout ParameterWriter, Int32, Value) -> Void
  ) throws {
    let entry = keys.entry(key)
    if entry < 0 { return }
    if entry < KeyTable.jsonFlag {
      write(&writer.pointee, entry, value)
    } else {
      try encoder.write(json: value, entry)
    }
  }

  /// The same, and null for nil.
  @inline(__always)
  func plainIfPresent<Value: Encodable>(
    _ value: Value?, _ key: Key, _ write: (inout ParameterWriter, Int32, Value) -> Void
  ) throws {
    guard let value else { return encodeNil(forKey: key) }
    try plain(value, key, write)
  }
}
