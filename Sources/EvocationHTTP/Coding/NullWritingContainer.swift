import Evocation

/// The keyed container of a ``NullWritingEncoder``.
struct NullWritingContainer<Key: CodingKey>: NilWritingContainer {
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
