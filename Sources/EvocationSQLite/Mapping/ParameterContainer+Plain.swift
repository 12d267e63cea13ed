/// Encodes the types of single-value columns, each with its own method, so that no cast is needed.
extension ParameterContainer {
  func encode(_ value: Bool, forKey key: Key) throws {
    try plain(value, key) { $0.bool($2, $1) }
  }

  func encode(_ value: String, forKey key: Key) throws {
    try plain(value, key) { $0.text($2, $1) }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try plain(value, key) { $0.double($2, $1) }
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try plain(value, key) { $0.double(Double($2), $1) }
  }

  func encode(_ value: Int, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: Int8, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: Int16, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: Int32, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: UInt, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: UInt8, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: UInt16, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: UInt32, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }

  func encode(_ value: UInt64, forKey key: Key) throws {
    try plain(value, key) { $0.integer($2, $1) }
  }
}

/// Does the same for optional values, and binds nil as null.
extension ParameterContainer {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.bool($2, $1) }
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.text($2, $1) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.double($2, $1) }
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.double(Double($2), $1) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try plainIfPresent(value, key) { $0.integer($2, $1) }
  }
}
