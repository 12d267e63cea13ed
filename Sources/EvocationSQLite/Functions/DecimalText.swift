internal import Foundation

/// Compares decimal numbers, which columns store as text, by their value.
enum DecimalText {
  /// Compares two numbers, and returns a negative number if the left one is less.
  ///
  /// Text that is not a number is the greatest.
  static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch (Parts(left), Parts(right)) {
    case (let left?, let right?): left.compare(right)
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    }
  }

  /// A number's digits, without leading and trailing zeros.
  private struct Parts {
    let isNegative: Bool
    let whole: Slice<UnsafeRawBufferPointer>
    let fraction: Slice<UnsafeRawBufferPointer>

    init?(_ text: UnsafeRawBufferPointer) {
      var rest = text[...]
      let isMinus = rest.first == UInt8(ascii: "-")
      if isMinus { rest = rest.dropFirst() }
      let point = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
      whole = rest[..<point].drop { $0 == UInt8(ascii: "0") }
      var end = rest.endIndex
      let start = min(point + 1, end)
      while end > start, rest[end - 1] == UInt8(ascii: "0") { end -= 1 }
      fraction = rest[start..<end]
      guard !rest.isEmpty, Self.areDigits(whole), Self.areDigits(fraction) else { return nil }
      isNegative = isMinus && !(whole.isEmpty && fraction.isEmpty)
    }

    func compare(_ other: Parts) -> Int32 {
      if isNegative != other.isNegative { return isNegative ? -1 : 1 }
      let greater: Int32 = isNegative ? -1 : 1
      if whole.count != other.whole.count {
        return whole.count > other.whole.count ? greater : -greater
      }
      let isSame = whole.elementsEqual(other.whole)
      let (digits, others) = isSame ? (fraction, other.fraction) : (whole, other.whole)
      if digits.elementsEqual(others) { return 0 }
      return digits.lexicographicallyPrecedes(others) ? -greater : greater
    }

    private static func areDigits(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
      bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }
}
