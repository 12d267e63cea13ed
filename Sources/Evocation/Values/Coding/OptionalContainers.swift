/// A keyed container that encodes all optional values by one method.
///
/// The standard library's methods for plain types omit a key whose value is nil, and the compiler
/// prefers them to a generic method. So each of them is repeated here, for all containers. They are
/// inlined, because otherwise the type of each optional would be looked up (`find all`).
package protocol NilWritingContainer: KeyedEncodingContainerProtocol {
  /// Encodes a value, or the container's form of nil.
  func put<Value: Encodable>(_ value: Value?, _ key: Key) throws
}

extension NilWritingContainer {
  @inline(__always)
  package func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }
  @inline(__always)
  package func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try put(value, key)
  }

  package func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    var container = self
    return container.superEncoder(forKey: key).container(keyedBy: type)
  }

  package func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    var container = self
    return container.superEncoder(forKey: key).unkeyedContainer()
  }
}

/// A keyed container that decodes all optional values by one method.
package protocol AbsentReadingContainer: KeyedDecodingContainerProtocol {
  /// Decodes a value; nil if there is none.
  func take<Value: Decodable>(_ key: Key) throws -> Value?
}

extension AbsentReadingContainer {
  @inline(__always)
  package func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try take(key)
  }
  @inline(__always)
  package func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try take(key)
  }

  package func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  package func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }
}
