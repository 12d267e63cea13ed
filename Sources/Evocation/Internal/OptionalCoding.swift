/// A keyed container that encodes all optional values by one method.
///
/// The standard library's methods for plain types omit a key whose value is nil, and the compiler
/// prefers them to a generic method. So this refined protocol repeats each of them.
package protocol NilWritingContainer: KeyedEncodingContainerProtocol {
  /// Encodes a value, or the container's form of nil.
  mutating func encode<Value: Encodable>(optional value: Value?, forKey key: Key) throws
}

extension NilWritingContainer {
  package mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try encode(optional: value, forKey: key)
  }

  package mutating func encodeIfPresent<Value: Encodable>(
    _ value: Value?, forKey key: Key
  ) throws {
    try encode(optional: value, forKey: key)
  }
}

/// A keyed container that decodes all optional values by one method.
package protocol AbsentReadingContainer: KeyedDecodingContainerProtocol {
  /// Decodes a value; nil if there is none.
  func decode<Value: Decodable>(optional type: Value.Type, forKey key: Key) throws -> Value?
}

extension AbsentReadingContainer {
  package func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try decode(optional: type, forKey: key)
  }

  package func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try decode(optional: type, forKey: key)
  }
}

/// A coding key of any name.
package struct AnyKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  /// Creates a key from a name.
  package init(_ name: String) {
    stringValue = name
  }

  package init?(stringValue: String) {
    self.init(stringValue)
  }

  package init?(intValue: Int) { nil }
}
