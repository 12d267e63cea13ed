public import Evocation
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

  let make: @Sendable (Call) throws -> Data?

  /// Whether the id of a model has a place of its own in the body, so that the model is written without it.
  private(set) var namesID = false

  /// Creates a way of writing bodies.
  ///
  /// - Parameters:
  ///   - contentType: The value of the field `Content-Type`.
  ///   - make: Returns the body for JSON, which has the models in the format's envelope, or the ids of
  ///     a removal. It is called from any thread. If it throws, the call ends before anything is sent.
  public init(contentType: String, _ make: @escaping @Sendable (Data) throws -> Data) {
    self.contentType = contentType
    self.make = { try $0.json.map(make) }
  }

  /// Creates a way of writing the bodies of one route, also of one that reads.
  ///
  /// ```swift
  /// format.routes.find = .init(
  ///   "POST", "{path}/search",
  ///   body: HTTPBody { call in
  ///     let limit = call.criteria?.limit ?? 100
  ///     return try JSONSerialization.data(withJSONObject: ["size": limit])
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - contentType: The value of the field `Content-Type`.
  ///   - make: Returns the body of a request; nil for none. It is called from any thread. If it throws,
  ///     the call ends before anything is sent.
  public init(
    contentType: String = "application/json",
    making make: @escaping @Sendable (Call) throws -> Data?
  ) {
    self.contentType = contentType
    self.make = make
  }

  /// The parts of a request of which its body is made.
  public struct Call: Sendable {
    /// The models as JSON, in the format's envelope, or the ids of a removal; nil for a read.
    public var json: Data?

    /// The text of the id of the model that the request is about; nil for a request about several.
    public var id: String?

    /// The criteria of a read; nil for a write, and for a read by an id.
    public var criteria: Criteria?

    /// The query of a read, as ``HTTPFormat/filters`` write it; the address then has none of it.
    public var items: [URLQueryItem]

    /// Whether ids are numbers.
    var hasNumbers = false
    /// The names of the items that ask for a part of a list, whose values are numbers.
    var numbers: Set<String> = []
  }

  /// The JSON itself.
  public static let json = HTTPBody(contentType: "application/json") { $0 }

  /// Returns JSON with keys that every body has besides: `{"rows": [{"id": 1}], "return": true}`.
  ///
  /// - Parameter keys: The keys and their values; the format's envelope has the models.
  /// - Returns: The way of writing the body.
  public static func json(adding keys: [String: Bool]) -> HTTPBody {
    HTTPBody(contentType: json.contentType) { json in
      let added = keys.sorted { $0.key < $1.key }.map { ",\($0.key.inJSON):\($0.value)" }
      return json.dropLast() + Data((added.joined() + "}").utf8)
    }
  }

  /// A form, as browsers send them: `name=Fiat&owner[name]=Ann&tags[0]=red`.
  ///
  /// Null is a name without a value, which tells services such as Stripe to clear the value.
  public static let form = HTTPBody(contentType: "application/x-www-form-urlencoded") { json in
    let value = try JSONDecoder().decode(JSONValue.self, from: json)
    return Data(value.items(named: "").joined(separator: "&").utf8)
  }
}

extension HTTPBody {
  /// A read's query as a JSON object: `{"limit": 20, "filter": {"year": {"_gte": 1980}}}`.
  ///
  /// The numbers of ``HTTPFilters/Paging`` are numbers, an item that is itself a JSON object or array is
  /// one, and all others are texts.
  public static let query = HTTPBody { call in
    guard call.json == nil else { return call.json }
    let values = try call.items.map { ($0.name, try call.json(of: $0)) }
    return object(values)
  }

  /// Returns the body of a GraphQL request: the text of a query, and its variables.
  ///
  /// The variables are those that the text names: `$model` is the model as JSON, with the keys that
  /// are sent, `$id` its id, and the others are the items of the query, such as `$limit`, in the form of
  /// ``query``. If the text lacks the variable of an item, the call fails as
  /// ``HTTPError/Code/unsupportedCriteria``, because the service would pass over it.
  ///
  /// - Parameter text: The query or mutation.
  /// - Returns: The way of writing the body.
  public static func graphQL(_ text: String) -> HTTPBody {
    let namesID = text.names(variable: "id")
    var body = HTTPBody { call in
      var variables: [(String, String)] = []
      for item in call.items {
        guard text.names(variable: item.name) else {
          throw HTTPError.unsupported("its GraphQL query has no variable $\(item.name)")
        }
        variables.append((item.name, try call.json(of: item)))
      }
      if let id = call.id, namesID {
        variables.append(("id", call.hasNumbers ? id : id.inJSON))
      }
      if let model = call.json, text.names(variable: "model") {
        variables.append(("model", String(decoding: model, as: UTF8.self)))
      }
      let values = String(decoding: object(variables), as: UTF8.self)
      return object([("query", text.inJSON), ("variables", values)])
    }
    body.namesID = namesID
    return body
  }
}

extension HTTPBody.Call {
  /// Returns the JSON of an item.
  fileprivate func json(of item: URLQueryItem) throws -> String {
    let text = item.value ?? ""
    if numbers.contains(item.name), Int(text) != nil { return text }
    let isJSON =
      ["{", "["].contains(text.first)
      && (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    return isJSON ? text : text.inJSON
  }
}

extension String {
  /// Whether a GraphQL text has a variable, and not one whose name only begins like it.
  func names(variable name: String) -> Bool {
    ranges(of: "$\(name)").contains { range in
      guard range.upperBound < endIndex else { return true }
      let next = self[range.upperBound]
      return !next.isLetter && !next.isNumber && next != "_"
    }
  }
}

/// Returns a JSON object whose values are JSON already.
private func object(_ values: [(String, String)]) -> Data {
  Data(("{" + values.map { "\($0.inJSON):\($1)" }.joined(separator: ",") + "}").utf8)
}

extension JSONValue {
  fileprivate func items(named name: String) -> [String] {
    switch self {
    case .array(let array):
      array.enumerated().flatMap { $1.items(named: name.isEmpty ? "\($0)" : "\(name)[\($0)]") }
    case .object(let object):
      object.sorted { $0.key < $1.key }.flatMap { key, value in
        value.items(named: name.isEmpty ? key : "\(name)[\(key)]")
      }
    case .null, .bool, .integer, .decimal, .real, .text:
      ["\(HTTPAddress.escaped(name))=\(HTTPAddress.escaped(scalarText ?? ""))"]
    }
  }
}
