internal import Evocation

/// The keyed container for writing a row: each key is a parameter.
struct ParameterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  unowned(unsafe) let encoder: RowEncoder  // it outlives its containers, see `ContainerCache`
  unowned(unsafe) let keys: KeyMap  // the encoder holds it
  let writer: UnsafeMutablePointer<ParameterWriter>

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    let slot = keys.slot(key)
    if slot.isThere { writer.pointee.null(slot.position) }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let slot = keys.slot(key)
    if slot.isThere { try ParameterEncoder(row: encoder, slot: slot).write(value) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return leaveOut(key) }
    try encode(value, forKey: key)
  }

  private func leaveOut(_ key: Key) {
    let slot = keys.slot(key)
    if slot.isThere { writer.pointee.leaveOut(slot.position) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.tree(keys.slot(key), key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.tree(keys.slot(key), key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    encoder.tree(encoder.columns.slot("super"), AnyKey("super"))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.tree(keys.slot(key), key)
  }

  /// Binds a value as it is, or its JSON if the column holds JSON.
  @inline(__always)
  func plain<Value: Encodable>(
    _ value: Value, _ key: Key, _ write: (inout ParameterWriter, Int32, Value) -> Void
  ) throws {
    let slot = keys.slot(key)
    if slot.isPlain {
      write(&writer.pointee, slot.position, value)
    } else if slot.isThere {
      try encoder.write(json: value, slot)
    }
  }

  /// Does the same, and binds null for nil.
  @inline(__always)
  func plainIfPresent<Value: Encodable>(
    _ value: Value?, _ key: Key, _ write: (inout ParameterWriter, Int32, Value) -> Void
  ) throws {
    guard let value else { return leaveOut(key) }
    try plain(value, key, write)
  }
}
