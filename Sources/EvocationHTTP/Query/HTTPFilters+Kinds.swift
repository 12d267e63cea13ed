import Evocation
import Foundation

extension HTTPFilters {
  /// Operators in brackets, the default: `year[gte]=1980`, `sort=-year`, `limit=20`.
  public static let brackets = HTTPFilters(
    [
      .equal: "", .notEqual: "ne", .less: "lt", .lessOrEqual: "lte", .greater: "gt",
      .greaterOrEqual: "gte", .isIn: "in", .between: "between", .isNull: "null",
      .isNotNull: "null", .hasPrefix: "prefix", .contains: "contains",
    ],
    filter: .brackets(), after: "after")

  /// Operators behind the key, as in Django: `year__gte=1980`, `ordering=-year`.
  ///
  /// Django has no operator for `!=`. Of two items with one name it reads the last, it ignores a
  /// comparison with an empty text, it leaves out blanks at the ends of a text, and its lists cannot
  /// contain a comma.
  ///
  /// It also ignores a filter or an order that a view does not have. Name those that the view has in
  /// ``keys`` and ``orders``. On SQLite and MySQL its `startswith` and `contains` ignore case: remove
  /// both from ``operators`` there. Text without case is `__iexact`, `__istartswith` and `__icontains`.
  public static let suffixes: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "", .less: "lt", .lessOrEqual: "lte", .greater: "gt", .greaterOrEqual: "gte",
        .isIn: "in", .isNull: "isnull", .isNotNull: "isnull", .hasPrefix: "startswith",
        .contains: "contains",
      ],
      filter: .named { $0.name + ($0.word.isEmpty ? "" : "__\($0.word)") },
      order: .item("ordering"))
    filters.textOperators[.caseInsensitive] = [
      .equal: "iexact", .hasPrefix: "istartswith", .contains: "icontains",
    ]
    filters.separator = "__"
    filters.reserved = ["search"]
    filters.repeatsItems = false
    filters.hasEmptyTexts = false
    filters.trimsTexts = true
    return filters
  }()

  /// Operators before the value, as in PostgREST and Supabase: `year=gte.1980`, `order=year.desc`.
  ///
  /// A group is `or=(year.lt.1970,origin.eq.Japan)`. Text without case is `ilike`.
  public static let postgREST: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "eq", .notEqual: "isdistinct", .less: "lt", .lessOrEqual: "lte", .greater: "gt",
        .greaterOrEqual: "gte", .isIn: "in", .isNull: "is", .isNotNull: "not.is",
        .hasPrefix: "like", .contains: "like",
      ],
      filter: Filter { try $0.conjuncts.map(row) },
      order: .item("order", descending: ("", ".desc.nullslast"), ascending: ("", ".asc.nullsfirst"))
    )
    filters.textOperators[.caseInsensitive] = [
      .equal: "ilike", .hasPrefix: "ilike", .contains: "ilike",
    ]
    filters.separator = "->"
    filters.ordersByIdentifier = true
    filters.nulls = .unknown
    filters.reserved = ["select", "columns", "on_conflict"]
    return filters
  }()

  /// Returns one item: a column with an operator and a value, or a group.
  private static func row(_ predicate: Conditions) throws -> URLQueryItem {
    guard let (one, isTurned) = predicate.single else {
      let group = try member(predicate)
      return URLQueryItem(
        name: String(group.prefix { $0 != "(" }), value: String(group.drop { $0 != "(" }))
    }
    let value = "\(one.word).\(try value(of: one, isInGroup: false))"
    return URLQueryItem(name: try column(one), value: isTurned ? "not.\(value)" : value)
  }

  private static func member(_ predicate: Conditions) throws -> String {
    switch predicate {
    case .all(let parts): "and(" + (try parts.map(member)).joined(separator: ",") + ")"
    case .any(let parts): "or(" + (try parts.map(member)).joined(separator: ",") + ")"
    case .condition(let one): try "\(column(one)).\(one.word).\(value(of: one, isInGroup: true))"
    case .not(let one): try "\(column(one)).not.\(one.word).\(value(of: one, isInGroup: true))"
    }
  }

  /// Returns the column, whose last arrow is longer for a text inside JSON.
  private static func column(_ condition: Condition) throws -> String {
    guard !["and", "or", "not", "not.and", "not.or"].contains(condition.name) else {
      throw HTTPError.unsupported("the key \"\(condition.key)\" is not a field in this scheme")
    }
    guard condition.isText, let last = condition.path.last, condition.path.count > 1 else {
      return condition.name
    }
    return condition.path.dropLast().joined(separator: "->") + "->>" + last
  }

  private static func value(of condition: Condition, isInGroup: Bool) throws -> String {
    let like = condition.text.escaping("\\%_") { "\\\($0)" }
    switch condition.operation {
    case .isNull, .isNotNull: return "null"
    case .isIn, .isNotIn:
      return "(" + condition.texts.map(quoted).joined(separator: ",") + ")"
    case .equal where !condition.options.isEmpty:
      return try pattern("", like, end: "", of: condition, isInGroup: isInGroup)
    case .hasPrefix: return try pattern("", like, end: "*", of: condition, isInGroup: isInGroup)
    case .contains: return try pattern("*", like, end: "*", of: condition, isInGroup: isInGroup)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      return isInGroup ? quoted(condition.text) : condition.text
    }
  }

  private static func pattern(
    _ start: String, _ like: String, end: String, of condition: Condition, isInGroup: Bool
  ) throws -> String {
    guard !like.has(anyOf: "*") else { throw condition.unsupported("cannot find an asterisk") }
    return isInGroup ? quoted(start + like + end) : start + like + end
  }

  /// Returns a value inside parentheses, with a backslash before a quote or a backslash.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      !text.has(anyOf: ",.:(){}\"\\")
      && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    guard text.isEmpty || !isPlain || text == "null" else { return text }
    return "\"" + text.escaping("\"\\") { "\\\($0)" } + "\""
  }
}

extension HTTPFilters.Condition {
  /// Returns texts with a comma between them; throws if a text has a comma, or if there are none.
  func joined(_ texts: [String]) throws -> String {
    guard !texts.isEmpty else { throw HTTPError.unsupported("its lists cannot be empty") }
    guard !texts.contains(where: { $0.has(anyOf: ",") }) else {
      throw HTTPError.unsupported("its lists cannot hold a value with \",\"")
    }
    return texts.joined(separator: ",")
  }
}
