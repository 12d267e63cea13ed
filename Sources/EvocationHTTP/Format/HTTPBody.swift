public import Foundation

/// The way in which the body of a request is written, starting from JSON.
///
/// ```swift
/// format.body = .form
/// format.body = HTTPBody(contentType: "application/vnd.api+json") { json in json }
/// ```
public struct HTTPBody: Sendable {
  /// The value of the field `Content-Type`.
  public var contentType: String

  let make: @Sendable (Data) throws -> Data

  /// Creates a way of writing bodies.
  ///
  /// - Parameters:
  ///   - contentType: The value of the field `Content-Type`.
  ///   - make: Returns the body for JSON, which has the models in the format's envelope, or the ids of
  ///     a removal. It is called from any thread. If it throws, the call ends before anything is sent.
  public init(contentType: String, _ make: @escaping @Sendable (Data) throws -> Data) {
    self.contentType = contentType
    self.make = make
  }

  /// The JSON itself.
  public static let json = HTTPBody(contentType: "application/json") { $0 }

  /// A form, as browsers send them: `name=Fiat&owner[name]=Ann&tags[0]=red`.
  ///
  /// Null is a name without a value, which tells services such as Stripe to clear the value.
  public static let form = HTTPBody(contentType: "application/x-www-form-urlencoded") { json in
    let value = try JSONDecoder().decode(JSONValue.self, from: json)
    return Data(value.items(named: "").joined(separator: "&").utf8)
  }
}

/// JSON whose numbers keep their value, as far as `Int64` and `Decimal` hold it.
private enum JSONValue: Decodable {
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    if let object = try? [String: JSONValue](from: decoder) {
      self = .object(object)
    } else if let array = try? [JSONValue](from: decoder) {
      self = .array(array)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .text("")
      } else if let truth = try? value.decode(Bool.self) {
        self = .text(truth ? "true" : "false")
      } else if let number = try? value.decode(Int64.self) {
        self = .text(String(number))
      } else if let number = try? value.decode(Decimal.self) {
        self = .text("\(number)")
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }

  func items(named name: String) -> [String] {
    switch self {
    case .text(let text): ["\(HTTPAddress.escaped(name))=\(HTTPAddress.escaped(text))"]
    case .array(let array):
      array.enumerated().flatMap { $1.items(named: name.isEmpty ? "\($0)" : "\(name)[\($0)]") }
    case .object(let object):
      object.sorted { $0.key < $1.key }.flatMap { key, value in
        value.items(named: name.isEmpty ? key : "\(name)[\(key)]")
      }
    }
  }
}
