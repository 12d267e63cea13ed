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
