package import Foundation

/// The JSON in which models of entries are kept.
///
/// Numbers that JSON does not have are text, as in JSON columns.
package enum PayloadCoding {
  private static let (positive, negative, nan) = ("inf", "-inf", "nan")

  /// Made once, because that costs as much as to encode a small model (`storeOne, outbox`).
  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: positive, negativeInfinity: negative, nan: nan)
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: positive, negativeInfinity: negative, nan: nan)
    return decoder
  }()

  /// Encodes a model.
  package static func data(_ model: some Encodable) throws -> Data {
    try encoder.encode(model)
  }

  /// Decodes a model.
  package static func model<Model: Decodable>(_ type: Model.Type, _ data: Data) throws -> Model {
    try decoder.decode(type, from: data)
  }

  /// Gives a model with the id of another.
  ///
  /// - Throws: ``EvocationError/notIdentifiable(model:)`` where the id is not coded as `id`.
  static func model<Model: Sendable>(_ model: Model, withIDOf other: Model) throws -> Model {
    func opened<Known: Codable>(_ type: Known.Type) throws -> Model? {
      guard let model = model as? Known, let other = other as? Known,
        let renamed = JSONObject(try data(model)).replacing("id", by: JSONObject(try data(other)))
      else { return nil }
      return try Self.model(type, renamed) as? Model
    }
    guard let type = Model.self as? any Codable.Type, let renamed = try opened(type) else {
      throw EvocationError.notIdentifiable(model: "\(Model.self)")
    }
    return renamed
  }
}

/// A JSON object as text, whose values can be exchanged without being read.
///
/// So no number loses a digit on the way.
struct JSONObject {
  private let bytes: [UInt8]

  init(_ data: Data) {
    bytes = [UInt8](data)
  }

  /// The object with a key's value from another object; nil where one of them has no such key.
  func replacing(_ key: String, by other: JSONObject) -> Data? {
    guard let range = value(of: key), let theirs = other.value(of: key) else { return nil }
    return Data(bytes[..<range.lowerBound] + other.bytes[theirs] + bytes[range.upperBound...])
  }

  /// Where the value of a key lies that is written without escapes.
  private func value(of key: String) -> Range<Int>? {
    let name = Array("\"\(key)\"".utf8)
    var (depth, index) = (0, 0)
    var start: Int?
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let end = endOfText(from: index)
        if depth == 1, start == nil, Array(bytes[index..<end]) == name, isColon(at: end) {
          start = end + 1
          index = end + 1
        } else {
          index = end
        }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 1, let start { return start..<index }
        depth -= 1
      case UInt8(ascii: ","):
        if depth == 1, let start { return start..<index }
      default: break
      }
      index += 1
    }
    return nil
  }

  private func isColon(at index: Int) -> Bool {
    index < bytes.count && bytes[index] == UInt8(ascii: ":")
  }

  /// The index after the text that begins at an index.
  private func endOfText(from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }
}
