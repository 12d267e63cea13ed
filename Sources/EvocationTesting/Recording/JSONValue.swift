import Evocation
import Foundation

/// A value in JSON.
enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  /// A number that no `Double` says, such as a long decimal.
  case decimal(Decimal)
  case text(ByteText)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    self =
      if value.decodeNil() {
        .null
      } else if let bool = try? value.decode(Bool.self) {
        .bool(bool)
      } else if let number = try? value.decode(Double.self), number == 0, number.sign == .minus {
        .number(number)
      } else if let integer = try? value.decode(Int64.self) {
        .integer(integer)
      } else if let unsigned = try? value.decode(UInt64.self) {
        .unsigned(unsigned)
      } else if let number = try? value.decode(Double.self) {
        Self.number(number, exactly: try? value.decode(Decimal.self))
      } else if let text = try? value.decode(String.self) {
        .text(ByteText(text))
      } else if let list = try? value.decode([JSONValue].self) {
        .list(list)
      } else {
        .object(try value.decode([String: JSONValue].self))
      }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .text(let value): try container.encode(value.text)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The number as it is written: as a `Double` where that says it, else as a decimal.
  private static func number(_ number: Double, exactly decimal: Decimal?) -> JSONValue {
    guard let decimal, Decimal(string: "\(number)") != decimal else { return .number(number) }
    return .decimal(decimal)
  }

  /// The value that something encodes; null for what cannot be encoded.
  init(of value: some Encodable) { self = (try? Self.encoded(value)) ?? .null }

  /// The value that something encodes, with infinities and NaN, of which JSON knows none, as texts.
  static func encoded(_ value: some Encodable) throws -> JSONValue {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try JSONDecoder().decode([JSONValue].self, from: encoder.encode([value]))[0]
  }

  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: JSONEncoder().encode(self))
  }
}
