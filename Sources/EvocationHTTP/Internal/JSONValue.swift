import Foundation

/// JSON whose numbers keep their value, as far as `Int64`, `Decimal` and then `Double` hold it.
enum JSONValue: Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case decimal(Decimal)
  case real(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    // As a dictionary, and not by its keys, which the decoder may convert.
    if let object = try? value.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else if value.decodeNil() {
      self = .null
    } else if let truth = try? value.decode(Bool.self) {
      self = .bool(truth)
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? value.decode(Decimal.self) {
      self = .decimal(number)
    } else if let number = try? value.decode(Double.self) {
      self = .real(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let truth): try container.encode(truth)
    case .integer(let number): try container.encode(number)
    case .decimal(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }

  /// A single value as a text; nil for an array and an object.
  var scalarText: String? {
    switch self {
    case .null: ""
    case .bool(let truth): truth ? "true" : "false"
    case .integer(let number): String(number)
    case .decimal(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .array, .object: nil
    }
  }
}
