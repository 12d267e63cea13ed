import Evocation
import Foundation

extension HTTPFilters {
  /// Operators before the key, as in Kinto: `min_year=1980`, `_sort=-year,id`, `_limit=20`.
  ///
  /// Kinto orders null before every value and a missing property after them, so a bound has
  /// `not_year=null` and `has_year=true` beside it. Null is a value there, which routes that write
  /// nulls send. `== nil` does not find a missing property.
  public static let prefixes: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "eq", .notEqual: "not", .less: "lt", .lessOrEqual: "max", .greater: "gt",
        .greaterOrEqual: "min", .isIn: "in", .isNotIn: "exclude", .isNull: "eq", .isNotNull: "not",
      ],
      filter: Filter { try records($0.alone) }, order: .item("_sort"), paging: .limit("_limit"))
    filters.ordersByIdentifier = true
    filters.repeatsItems = false
    // Kinto reads a name with other characters as a whole, including the operator.
    filters.isName = { part in
      !part.isEmpty && part.first != "_"
        && part.allSatisfy {
          $0 == "_" || ($0.isLetter || $0.isNumber) && $0.unicodeScalars.count == 1
        }
    }
    return filters
  }()

  /// Returns the items of conditions.
  ///
  /// - The properties that must exist come first: in memory, Kinto passes over what stands before one.
  /// - Then come bounds and equality.
  /// - Then come the excluded values, which may include null.
  private static func records(_ conditions: [Condition]) throws -> [URLQueryItem] {
    var (items, existing): ([URLQueryItem], [URLQueryItem]) = ([], [])
    var (names, excluded): ([String], [String: [String]]) = ([], [:])
    func exclude(_ name: String, _ texts: [String]) {
      if excluded[name] == nil { names.append(name) }
      let isNull = texts == ["null"] && excluded[name]?.contains("null") == true
      excluded[name, default: []] += isNull ? [] : texts
    }
    for condition in conditions {
      let (name, word) = (condition.name, condition.word)
      switch condition.operation {
      case .equal:
        guard !name.beginsLikeOperator else {
          throw HTTPError.unsupported("the key \"\(condition.key)\" is not a field in this scheme")
        }
        items.append(URLQueryItem(name: name, value: condition.elements.joined()))
      case .isNull: items.append(URLQueryItem(name: name, value: "null"))
      case .isNotNull: exclude(name, ["null"])
      case .notEqual, .isNotIn: exclude(name, condition.elements)
      case .isIn:
        let list = try condition.joined(condition.elements)
        items.append(URLQueryItem(name: "\(word)_\(name)", value: list))
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .hasPrefix, .contains:
        let value = condition.elements.joined()
        items.append(URLQueryItem(name: "\(word)_\(name)", value: value))
        // The service writes both, and finds nothing if they are compared with null.
        if name != "id", name != "last_modified" { exclude(name, ["null"]) }
      }
    }
    for name in names {
      let texts = excluded[name] ?? []
      items.append(
        URLQueryItem(
          name: (texts.count == 1 ? "not_" : "exclude_") + name,
          value: texts.joined(separator: ",")))
      if texts.contains("null") {
        existing.append(URLQueryItem(name: "has_\(name)", value: "true"))
      }
    }
    return existing + items
  }
}

extension HTTPFilters.Condition {
  /// The values as JSON, because `1970` without quotes is a number.
  ///
  /// They contain no comma, which would end an element of a list.
  fileprivate var elements: [String] {
    return zip(values, texts).map { value, text in
      switch value {
      case .text, .url, .uuid, .data:
        return text.inJSON.escaping(",") { _ in "\\u002c" }
      case .bool, .integer, .unsigned, .real, .decimal, .date, .null: return text
      }
    }
  }
}

extension String {
  /// Whether Kinto would read it as an operator and a property.
  fileprivate var beginsLikeOperator: Bool {
    let words = [
      "min", "max", "gt", "lt", "eq", "not", "in", "exclude", "like", "has", "contains",
    ]
    return words.contains { hasPrefix("\($0)_") }
  }
}
