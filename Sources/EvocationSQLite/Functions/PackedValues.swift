internal import Foundation

/// Values in one JSON array, which is bound as one parameter, or stored.
///
/// A whole number is a number there. Any other value is a text with a tag that JSON need not escape,
/// which the SQL function `evocation_unpack` reads. Files contain such arrays, so the forms stay as
/// they are.
enum PackedValues {
  static func array(_ values: [SQLValue]) -> String {
    let parts = values.map { value in
      switch pack(value) {
      case .integer(let number): String(number)
      case .text(let text): "\"\(text)\""
      case .null, .real, .blob, .textBytes: "null"
      }
    }
    return "[" + parts.joined(separator: ",") + "]"
  }

  /// Returns the form of a value in the array.
  private static func pack(_ value: SQLValue) -> SQLValue {
    switch value {
    case .integer, .null: value
    case .real(let value): .text("r" + String(value.bitPattern, radix: 16))
    case .text(let text):
      .text(isPlain(text) ? "=" + text : "t" + Data(text.utf8).base64EncodedString())
    case .blob(let bytes), .textBytes(let bytes): .text("b" + Data(bytes).base64EncodedString())
    }
  }

  /// Reads a value from its form.
  static func unpack(_ value: SQLValue) -> SQLValue {
    guard case .text(let text) = value else { return value }
    // Code points and not characters: an accent behind the tag would be part of it.
    let rest = Substring(text.unicodeScalars.dropFirst())
    switch text.unicodeScalars.first {
    case "r": return UInt64(rest, radix: 16).map { .real(Double(bitPattern: $0)) } ?? .null
    case "=": return .text(String(rest))
    case "b": return Data(base64Encoded: String(rest)).map { .blob([UInt8]($0)) } ?? .null
    case "t":
      let bytes = Data(base64Encoded: String(rest))
      return bytes.map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
    default: return .null
    }
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
  }
}
