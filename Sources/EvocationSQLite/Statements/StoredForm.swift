/// How the values that SQLite has no type for lie in its columns.
enum StoredForm {
  /// What stands for NaN: a blob, so that it comes after every number and survives.
  static let notANumber: [UInt8] = Array("NaN".utf8)

  /// Comes after every whole number, those that are blobs included.
  static let beyondUnsigned = [UInt8](repeating: 0xFF, count: 9)

  /// Comes after every decimal number, which has 165 digits before the point at most.
  static let beyondDecimal = "1" + String(repeating: "0", count: 200)

  /// A number above the range of `Int64`: a blob in which the greatest byte comes first.
  static func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }

  /// The number of such a blob, or nil when it is something else.
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
