/// A key that the user pressed.
enum Key: Equatable, Sendable {
  case up, down, pageUp, pageDown, home, end
  case enter, escape, backspace
  case character(Character)

  /// Reads the first key from a terminal's bytes, and its length in bytes; nil for half a key.
  static func first(of bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x1B: return escape(bytes)
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case ..<0x20: return (nil, 1)
    default: return character(bytes)
    }
  }

  private static func escape(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let rest = Array(bytes.dropFirst().prefix(3))
    guard rest.first == UInt8(ascii: "["), rest.count > 1 else { return (.escape, 1) }
    switch rest[1] {
    case UInt8(ascii: "A"): return (.up, 3)
    case UInt8(ascii: "B"): return (.down, 3)
    case UInt8(ascii: "H"): return (.home, 3)
    case UInt8(ascii: "F"): return (.end, 3)
    case UInt8(ascii: "5"): return rest.count < 3 ? nil : (.pageUp, 4)
    case UInt8(ascii: "6"): return rest.count < 3 ? nil : (.pageDown, 4)
    default: return (nil, 3)
    }
  }

  private static func character(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    for length in 1...4 where bytes.count >= length {
      if let text = String(validating: bytes.prefix(length), as: UTF8.self) {
        return (text.first.map { .character($0) }, length)
      }
    }
    return bytes.count < 4 ? nil : (nil, 1)
  }
}
