/// SQL text and the values of its parameters, in their order.
struct SQLQuery: Hashable, Sendable, ExpressibleByStringInterpolation {
  var text: String
  var values: [SQLValue] = []

  init(_ text: String, _ values: [SQLValue] = []) {
    self.text = text
    self.values = values
  }

  init(stringLiteral text: String) {
    self.init(text)
  }

  static func + (left: SQLQuery, right: SQLQuery) -> SQLQuery {
    SQLQuery(left.text + right.text, left.values + right.values)
  }

  static func += (left: inout SQLQuery, right: SQLQuery) {
    left = left + right
  }

  /// A condition that is always true.
  static let always: SQLQuery = "1"

  /// A condition that is never true.
  static let never: SQLQuery = "0"

  /// Returns a condition that is true if all parts are.
  static func all(_ parts: [SQLQuery]) -> SQLQuery {
    SQLCondition.all(parts.map(SQLCondition.init)).query
  }

  /// Returns a condition that is true if any part is.
  static func any(_ parts: [SQLQuery]) -> SQLQuery {
    SQLCondition.any(parts.map(SQLCondition.init)).query
  }

  /// A condition that is true if this one is false or unknown.
  var negation: SQLQuery {
    switch self {
    case .always: .never
    case .never: .always
    // Not `TRUE`, because a column may have this name.
    default: self + " IS NOT 1"
    }
  }

  /// Returns the parts, with a separator between them.
  static func list(_ parts: [SQLQuery], _ separator: String = ", ") -> SQLQuery {
    SQLQuery(parts.map(\.text).joined(separator: separator), parts.flatMap(\.values))
  }
}
