/// Makes the ids of entries.
package enum EntryID {
  /// Draws the bits of ids; nil for the system's random numbers.
  ///
  /// A simulation sets it, so that ids follow from its seed as everything else does.
  package static let source = Lock<(@Sendable () -> UInt64)?>(nil)

  /// Returns a random UUID as text: version 4 and variant 1 of RFC 9562, section 5.4.
  ///
  /// It uses the system's random numbers directly, because Foundation takes 5 µs on Linux
  /// ("storeOne, by the outbox").
  package static func make() -> String {
    let draw = source.withLock { $0 }
    let high = (draw?() ?? .random(in: .min ... .max)) & ~0xF000 | 0x4000
    let low = (draw?() ?? .random(in: .min ... .max)) & ~(0b11 << 62) | 0b10 << 62
    return String(unsafeUninitializedCapacity: 36) { text in
      var index = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[index] = UInt8(ascii: "-")
          index += 1
        }
        let part = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: part >> UInt64(60 - 4 * (digit % 16))) & 0xF
        text[index] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        index += 1
      }
      return index
    }
  }
}
