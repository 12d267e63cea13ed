internal import Foundation

/// A value inside a JSON column, brought into the form that a column of its own would have.
///
/// `json_extract` does so by itself for what JSON can say; this is for what it cannot.
enum JSONForm: String {
  case unsigned, real, decimal, text, data

  /// Reads the JSON text of one value; null for another kind of value.
  func value(_ json: String) -> SQLValue {
    switch self {
    case .unsigned: whole(json)
    case .real: real(json)
    case .decimal: json.hasPrefix("\"") || json == "null" ? .null : .text(json)
    case .text: string(json).map { .text($0) } ?? .null
    case .data: string(json).flatMap { Data(base64Encoded: $0) }.map { .blob([UInt8]($0)) } ?? .null
    }
  }

  private func whole(_ json: String) -> SQLValue {
    UInt64(json).map(StoredForm.integer) ?? Int64(json).map { .integer($0) } ?? .null
  }

  private func real(_ json: String) -> SQLValue {
    switch json {
    case "\"nan\"": .blob(StoredForm.notANumber)
    case "\"inf\"": .real(.infinity)
    case "\"-inf\"": .real(-.infinity)
    default: Double(json).map { .real($0) } ?? .null
    }
  }

  private func string(_ json: String) -> String? {
    try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as? String
  }
}
