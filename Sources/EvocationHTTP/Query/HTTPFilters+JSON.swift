import Evocation
import Foundation

// Services whose conditions contain JSON.
extension HTTPFilters.Filter {
  /// Returns a filter of one JSON object: `where={"$and":[{"year":{"$gte":1980}},{"owner":{"$eq":null}}]}`.
  ///
  /// It is the form of MongoDB and Directus, and of most GraphQL services, whose variable has the item's
  /// name. Negated conditions are written by the opposite operators, and others by `not`.
  ///
  /// - Parameters:
  ///   - item: The item's name.
  ///   - all: The key of conditions that must all hold.
  ///   - any: The key of conditions of which one must hold.
  ///   - not: The key of a negated condition; nil if the service has none.
  ///   - null: The value of ``HTTPFilters/Operator/isNull`` and ``HTTPFilters/Operator/isNotNull``.
  ///   - isNested: Whether each part of a nested key has an object of its own.
  /// - Returns: The filter.
  public static func json(
    _ item: String, all: String, any: String, not: String? = nil, null: String = "null",
    isNested: Bool = false
  ) -> Self {
    .expression(item) { condition in
      let values = condition.json
      let value =
        switch condition.operation {
        case .isNull, .isNotNull: null
        case .isIn, .isNotIn, .between: "[\(values.joined(separator: ","))]"
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .hasPrefix,
          .contains:
          values.joined()
        }
      let path = (isNested ? condition.path : [condition.name]) + [condition.word]
      return path.reversed().reduce(value) { "{\($1.inJSON):\($0)}" }
    } joining: { join, parts in
      guard join != .not else {
        guard let not else { throw HTTPError.unsupported("it has no \"not\"") }
        return "{\(not.inJSON):\(parts.joined())}"
      }
      return "{\((join == .all ? all : any).inJSON):[\(parts.joined(separator: ","))]}"
    }
  }
}

extension HTTPFilters.Ordering {
  /// Returns an ordering by one JSON array: `order=[{"by":"year","descending":true}]`.
  ///
  /// - Parameters:
  ///   - item: The item's name.
  ///   - key: Returns the JSON of one key.
  /// - Returns: The ordering.
  public static func json(
    _ item: String, _ key: @escaping @Sendable (HTTPFilters.Order) -> String
  ) -> Self {
    Self { orders in
      [URLQueryItem(name: item, value: "[\(orders.map(key).joined(separator: ","))]")]
    }
  }
}

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
      filter: .json("filter", all: "_and", any: "_or", null: "true", isNested: true))
    filters.textOperators[.caseInsensitive] = [
      .hasPrefix: "_istarts_with", .contains: "_icontains",
    ]
    filters.ordersByIdentifier = true
    filters.nulls = .excluded
    return filters
  }()

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
  /// The least value of the compared kind.
  fileprivate var least: String {
    if case .bool? = values.first { return "false" }
    return isText || isIdentifier ? "\"\"" : "-1.7976931348623157e308"
  }
}
