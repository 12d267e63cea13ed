/// The keyed container of a ``NullWritingEncoder``.
///
/// Each primitive type has its own requirement, and a default that leaves nil out, so each is here.
struct NullWritingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var base: KeyedEncodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try base.encodeNil(forKey: key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try base.encode(value, forKey: key)
  }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try write(value, key)
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

  fileprivate mutating func write(_ value: (some Encodable)?, _ key: Key) throws {
    if let value {
      try base.encode(value, forKey: key)
    } else {
      try base.encodeNil(forKey: key)
    }
  }
}

extension NullWritingContainer {
  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try write(value, key)
  }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try write(value, key)
  }
}
