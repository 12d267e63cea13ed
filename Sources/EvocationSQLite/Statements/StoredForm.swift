/// The stored form of values for which SQLite has no type.
enum StoredForm {
  /// The form of NaN: a blob, so that it survives, and sorts after every number.
  static let notANumber: [UInt8] = Array("NaN".utf8)

  /// Sorts after every whole number, including those stored as blobs.
  static let beyondUnsigned = [UInt8](repeating: 0xFF, count: 9)

  /// Sorts after every decimal number, which has at most 165 digits before the point.
  static let beyondDecimal = "1" + String(repeating: "0", count: 200)

  /// Returns the form of a number above the range of `Int64`: a blob, most significant byte first.
  static func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }

  /// Returns the number of such a blob, or nil for other bytes.
  static func unsigned(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard bytes.count == 8 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func integer(_ value: UInt64) -> SQLValue {
    if let small = Int64(exactly: value) { .integer(small) } else { .blob(bytes(value)) }
  }

  static func real(_ value: Double) -> SQLValue {
    value.isNaN ? .blob(notANumber) : .real(value)
  }
}
