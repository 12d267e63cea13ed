internal import Foundation

/// Many values in one JSON array, which is bound as one parameter.
///
/// A value that JSON cannot represent exactly is a text with a tag, which the SQL function
/// `evocation_unpack` reads.
struct PackedValues {
  let json: String
  let isPlain: Bool

  init(_ values: [SQLValue]) {
    isPlain = values.allSatisfy(Self.isPlain)
    json = "[" + values.map(isPlain ? Self.plain : Self.packed).joined(separator: ",") + "]"
  }

  /// Returns values in one JSON array, each in the only form that it has there.
  ///
  /// Files contain it, so the forms stay as they are.
  static func array(_ values: [SQLValue]) -> String {
    let parts = values.map { value in
      switch pack(value) {
      case .text(let text): "\"\(text)\""
      case let other: plain(other)
      }
    }
    return "[" + parts.joined(separator: ",") + "]"
  }

  /// Returns a whole number as it is, and any other value as a text that JSON need not escape.
  static func pack(_ value: SQLValue) -> SQLValue {
    switch value {
    case .integer, .null: value
    case .text(let text) where isPlain(value): .text("=" + text)
    case .text, .real, .blob, .textBytes: .text(String(packed(value).dropFirst().dropLast()))
    }
  }

  /// Reads a value from its text.
  static func unpack(_ text: String) -> SQLValue {
    let rest = text.dropFirst()
    switch text.first {
    case "i": return Int64(rest).map { .integer($0) } ?? .null
    case "r": return UInt64(rest, radix: 16).map { .real(Double(bitPattern: $0)) } ?? .null
    case "b": return bytes(rest).map { .blob($0) } ?? .null
    case "=": return .text(String(rest))
    case "t": return bytes(rest).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
    default: return .null
    }
  }

  private static func isPlain(_ value: SQLValue) -> Bool {
    switch value {
    case .integer: true
    case .text(let text):
      text.utf8.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
    case .real, .blob, .null, .textBytes: false
    }
  }

  private static func plain(_ value: SQLValue) -> String {
    switch value {
    case .integer(let value): String(value)
    case .text(let value): "\"\(value)\""
    case .real, .blob, .null, .textBytes: "null"
    }
  }

  private static func packed(_ value: SQLValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let value): "\"i\(value)\""
    case .real(let value): "\"r\(String(value.bitPattern, radix: 16))\""
    case .text(let value): "\"t\(hex(value.utf8))\""
    case .blob(let value), .textBytes(let value): "\"b\(hex(value))\""
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hex(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(_ hex: Substring) -> [UInt8]? {
    let nibbles = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard nibbles.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: nibbles.count, by: 2).map {
      UInt8(nibbles[$0] << 4 | nibbles[$0 + 1])
    }
  }
}
