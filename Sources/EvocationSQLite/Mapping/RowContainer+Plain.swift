/// Decodes the types of single-value columns, each with its own method, so that no cast is needed.
extension RowContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try plain(key) { $0.bool($1) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try plain(key) { $0.text($1) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try plain(key) { $0.double($1) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try plain(key) { reader, column in reader.double(column).map { Float($0) } }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try plain(key) { $0.integer($1) }
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try plain(key) { $0.integer($1) }
  }
}

/// Does the same for optional values. The default implementation would look up the key three times.
extension RowContainer {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try plainIfPresent(key) { $0.bool($1) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try plainIfPresent(key) { $0.text($1) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try plainIfPresent(key) { $0.double($1) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try plainIfPresent(key) { reader, column in reader.double(column).map { Float($0) } }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try plainIfPresent(key) { $0.integer($1) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try plainIfPresent(key) { $0.integer($1) }
  }
}
