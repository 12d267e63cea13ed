import Evocation

/// Passes everything on to another encoder, but writes null where a property that is nil is left
/// out.
///
/// The `Encodable` code that Swift makes leaves nil out, and a service that merges what it receives
/// would then keep the value that the app removed.
struct NullWritingEncoder: Encoder {
  let base: any Encoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NullWritingContainer(base: base.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    base.unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    base.singleValueContainer()
  }
}

/// The keyed container of a ``NullWritingEncoder``.
private struct NullWritingContainer<Key: CodingKey>: NilWritingContainer {
  var base: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try base.encodeNil(forKey: key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    base.nestedContainer(keyedBy: type, forKey: key)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    base.nestedUnkeyedContainer(forKey: key)
  }

  mutating func superEncoder() -> any Encoder {
    base.superEncoder()
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    base.superEncoder(forKey: key)
  }

  mutating func encode<Value: Encodable>(optional value: Value?, forKey key: Key) throws {
    if let value {
      try base.encode(value, forKey: key)
    } else {
      try base.encodeNil(forKey: key)
    }
  }
}
