/// The standard library's own defaults for these types would leave out a key without a value, and
/// are preferred to a generic method.
extension FieldEncoder.Keyed {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) {
    encoder.append(value, key.stringValue)
  }
}
