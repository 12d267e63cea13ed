/// Which of two versions of a model is older, as far as their text says it.
package enum VersionOrder {
  /// Returns whether a version is certainly older than another one.
  ///
  /// There are three cases. Whole numbers compare as numbers. Texts of one length that begin with a
  /// digit, such as dates, compare byte by byte. Any others, such as entity tags, have no order.
  package static func isOlder(_ version: String, than other: String) -> Bool {
    if let left = Int64(version), let right = Int64(other) { return left < right }
    let (left, right) = (Array(version.utf8), Array(other.utf8))
    guard left.count == right.count, let first = left.first, isDigit(first),
      right.first.map(isDigit) == true, isDated(left), isDated(right)
    else { return false }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  /// Whether a text has the shape of a date: four digits, and a hyphen after them.
  private static func isDated(_ text: [UInt8]) -> Bool {
    text.count >= 10 && text[..<4].allSatisfy(isDigit) && text[4] == UInt8(ascii: "-")
  }
}
