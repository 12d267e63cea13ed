import Evocation
import Foundation

// Services whose conditions contain JSON.
extension HTTPFilters {
  /// One JSON object, as in Directus: `filter={"_and":[{"year":{"_gte":1980}}]}`.
  ///
  /// A prefix is `{"name":{"_starts_with":"x"}}`. The database behind Directus decides whether case
  /// matters, and whether null comes first in an order.
  public static let directus: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "_eq", .notEqual: "_neq", .less: "_lt", .lessOrEqual: "_lte", .greater: "_gt",
        .greaterOrEqual: "_gte", .isIn: "_in", .isNotIn: "_nin", .isNull: "_null",
        .isNotNull: "_nnull", .hasPrefix: "_starts_with", .contains: "_contains",
      ],
      filter: Filter { [URLQueryItem(name: "filter", value: try rule($0))] })
    filters.textOperators[.caseInsensitive] = [
      .hasPrefix: "_istarts_with", .contains: "_icontains",
    ]
    filters.ordersByIdentifier = true
    filters.nulls = .unknown
    return filters
  }()

  private static func rule(_ predicate: Conditions) throws -> String {
    switch predicate {
    case .all(let parts): return try group("_and", parts.map(rule))
    case .any(let parts): return try group("_or", parts.map(rule))
    case .condition(let one):
      let rule = try rule(one, one.word)
      let isUnequal = one.operation == .notEqual || one.operation == .isNotIn
      return isUnequal ? group("_or", [rule, object(one.path + ["_null"], "true")]) : rule
    case .not(let one): return try rule(one, opposite(of: one))
    }
  }

  private static func rule(_ condition: Condition, _ word: String) throws -> String {
    let values = condition.json
    switch condition.operation {
    case .isNull, .isNotNull: return object(condition.path + [word], "true")
    case .isIn, .isNotIn:
      guard !values.isEmpty else { throw condition.unsupported("takes no list without values") }
      return object(condition.path + [word], "[\(values.joined(separator: ","))]")
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .hasPrefix,
      .contains:
      return object(condition.path + [word], values.joined())
    }
  }

  /// Returns the operator that holds if the condition does not, for values that are not null.
  private static func opposite(of condition: Condition) throws -> String {
    guard condition.options.isEmpty else { return "_n" + condition.word.dropFirst() }
    switch condition.operation {
    case .less: return "_gte"
    case .lessOrEqual: return "_gt"
    case .greater: return "_lte"
    case .greaterOrEqual: return "_lt"
    case .hasPrefix: return "_nstarts_with"
    case .contains: return "_ncontains"
    case .equal, .notEqual, .isIn, .isNotIn, .isNull, .isNotNull, .between:
      throw condition.unsupported("has no \"not\"")
    }
  }

  private static func group(_ word: String, _ parts: [String]) -> String {
    "{\"\(word)\":[\(parts.joined(separator: ","))]}"
  }

  private static func object(_ path: [String], _ value: String) -> String {
    path.reversed().reduce(value) { "{\($1.inJSON):\($0)}" }
  }

  /// One condition, as in the Firebase Realtime Database: `orderBy="year"&startAt=1980&endAt=1982`.
  ///
  /// Firebase takes one condition on the id or on a property with an index, or else a limit. It has no
  /// order, because an object could not keep one. Set `next = .never`: it returns whole lists.
  public static let firebase: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "equalTo", .lessOrEqual: "endAt", .greaterOrEqual: "startAt", .between: "startAt",
        .isNull: "equalTo", .isNotNull: "startAt",
      ],
      filter: .items { query($0) }, order: nil,
      paging: .items { limit, offset in
        guard offset == 0 else { throw HTTPError.unsupported("it has no offset") }
        guard let limit else { return [] }
        return [
          URLQueryItem(name: "orderBy", value: "\"$key\""),
          URLQueryItem(name: "limitToFirst", value: String(limit)),
        ]
      })
    filters.repeatsItems = false
    filters.separator = "/"
    return filters
  }()

  private static func query(_ condition: Condition) -> [URLQueryItem] {
    // An id is a text, even if it is a number in the app.
    let values = condition.isIdentifier ? condition.texts.map(\.inJSON) : condition.json
    let first = values.first ?? "null"
    let bounds: [(String, String)] =
      switch condition.operation {
      case .isNull: [("equalTo", "null")]
      // False comes immediately after null, before numbers and texts.
      case .isNotNull: [("startAt", "false")]
      case .between: [("startAt", first), ("endAt", values.last ?? first)]
      // Null would be less than any value.
      case .lessOrEqual: [("startAt", condition.least), ("endAt", first)]
      case .equal, .notEqual, .less, .greater, .greaterOrEqual, .isIn, .isNotIn, .hasPrefix,
        .contains:
        [(condition.word, first)]
      }
    let name = condition.isIdentifier ? "$key" : condition.name
    return ([("orderBy", name.inJSON)] + bounds).map { URLQueryItem(name: $0, value: $1) }
  }
}

extension HTTPFilters.Condition {
  /// The values as JSON.
  fileprivate var json: [String] {
    zip(values, texts).map { $0.isNumber ? $1 : $1.inJSON }
  }

  /// The least value of the compared kind.
  fileprivate var least: String {
    if case .bool? = values.first { return "false" }
    return isText || isIdentifier ? "\"\"" : "-1.7976931348623157e308"
  }
}

extension String {
  /// The text in double quotes, as in JSON.
  fileprivate var inJSON: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    return json ?? "\"\""
  }
}
