internal import Foundation

/// Reads a single JSON value in the form in which criteria compare nested values.
///
/// `json_extract` does this for whole numbers, Booleans and text. This type is for numbers with a
/// fraction, which `json_extract` rounds, and for keys whose kind only the value reveals.
enum JSONScalar {
  /// Reads the JSON text of one value; null for a list, an object and `null`.
  static func value(_ json: SQLValue) -> SQLValue {
    guard case .text(let json) = json else { return json }
    return switch json.utf8.first {
    case UInt8(ascii: "\""): text(json).map { .text($0) } ?? .null
    case UInt8(ascii: "t"): .integer(1)
    case UInt8(ascii: "f"): .integer(0)
    default: Int64(json).map { .integer($0) } ?? Double(json).map { .real($0) } ?? .null
    }
  }

  /// Does the same for a `Double`, for which NaN and the infinities are stored by name.
  static func real(_ json: SQLValue) -> SQLValue {
    guard case .text(let json) = json else { return json }
    return switch json {
    case "\"nan\"": .blob(StoredForm.notANumber)
    case "\"inf\"": .real(.infinity)
    case "\"-inf\"": .real(-.infinity)
    default: Double(json).map { .real($0) } ?? .null
    }
  }

  private static func text(_ json: String) -> String? {
    // Bytes and not characters: an accent behind the quote would be part of it.
    let inner = json.utf8.dropFirst().dropLast()
    guard inner.contains(UInt8(ascii: "\\")) else { return String(Substring(inner)) }
    let text = try? JSONSerialization.jsonObject(
      with: Data(json.utf8), options: .fragmentsAllowed)
    return text as? String
  }
}
