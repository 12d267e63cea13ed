import Evocation
import EvocationHTTP
import Foundation

// Query languages of services that these tests have not asked, as the page "Recipes" shows them word for word.

extension HTTPFilters {
  /// OData 4: `$filter=(year ge 1980 and contains(name,'x'))`, `$orderby=year desc,id`, `$top=20`.
  static let oData: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: " eq ", .notEqual: " ne ", .less: " lt ", .lessOrEqual: " le ",
        .greater: " gt ", .greaterOrEqual: " ge ", .isIn: " eq ", .isNotIn: " ne ",
        .isNull: " eq ", .isNotNull: " ne ", .hasPrefix: "startswith", .contains: "contains",
      ],
      filter: .expression("$filter", all: " and ", any: " or ", not: "not ") { try clause($0) },
      order: .item("$orderby", descending: ("", " desc")),
      paging: .offset(limit: "$top", offset: "$skip"))
    filters.textOperators[.caseInsensitive] = [
      .equal: " eq ", .hasPrefix: "startswith", .contains: "contains",
    ]
    filters.nulls = .unknown
    filters.ordersByIdentifier = true
    filters.separator = "/"
    let words: Set = ["true", "false", "null", "not", "and", "or", "NaN", "INF"]
    filters.isName = { name in
      name.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil && !words.contains(name)
    }
    return filters
  }()

  private static func clause(_ condition: Condition) throws -> String {
    if !condition.options.isEmpty {
      let (name, text) = ("tolower(\(condition.name))", "tolower(\(quoted(condition.text)))")
      return condition.operation == .equal
        ? name + condition.word + text : "\(condition.word)(\(name),\(text))"
    }
    let values = try zip(condition.values, condition.texts).map { value, text in
      switch value {
      case .data: throw condition.unsupported("cannot compare data")
      case .text, .url: quoted(text)
      default: text
      }
    }
    guard condition.operation == .hasPrefix || condition.operation == .contains else {
      return try condition.text(values, all: " and ", any: " or ")
    }
    return "\(condition.word)(\(condition.name),\(values.joined()))"
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined() + "'"
  }
}

extension HTTPFilters {
  /// Airtable: `filterByFormula=AND({Year}>=1980,EXACT({Name},'x'))`, `sort[0][field]=Year`.
  static let airtable: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "=", .notEqual: "=", .less: "<", .lessOrEqual: "<=", .greater: ">",
        .greaterOrEqual: ">=", .isIn: "=", .isNull: "=", .isNotNull: "!=", .hasPrefix: "FIND",
      ],
      filter: .expression("filterByFormula", condition: { try formula($0) }) { join, parts in
        let words: [Join: String] = [.all: "AND", .any: "OR", .not: "NOT"]
        return "\(words[join, default: ""])(\(parts.joined(separator: ",")))"
      },
      order: Ordering { orders in
        try orders.enumerated().flatMap { index, order in
          guard !order.isIdentifier else {
            throw HTTPError(.unsupportedCriteria, reason: "it cannot sort by the id")
          }
          return [
            URLQueryItem(name: "sort[\(index)][field]", value: order.name),
            URLQueryItem(
              name: "sort[\(index)][direction]", value: order.descending ? "desc" : "asc"),
          ]
        }
      }, paging: .limit("maxRecords"))
    filters.hasEmptyTexts = false
    filters.isName = { !$0.isEmpty && !$0.contains(where: "{}".contains) }
    return filters
  }()

  private static func formula(_ condition: Condition) throws -> String {
    guard condition.path.count == 1 else {
      throw condition.unsupported("takes no nested key, such as \"\(condition.key)\"")
    }
    let field = condition.isIdentifier ? "RECORD_ID()" : "{\(condition.name)}"
    let word = condition.word
    let same = try zip(condition.values, condition.texts).map { value, text in
      switch value {
      case .text, .uuid, .url: return "EXACT(\(field),\(escaped(text)))"
      case .bool(true): return "\(field)=TRUE()"
      case .bool, .date, .data, .null:
        throw condition.unsupported("compares neither false nor dates nor data")
      case .integer, .unsigned, .real, .decimal:
        guard !text.contains("e") else {
          throw condition.unsupported(
            "takes no number with an exponent, which \"\(condition.key)\" is compared with")
        }
        return "AND(\(field)&''!='',\(field)=\(text))"
      }
    }
    switch condition.operation {
    case .isNull, .isNotNull: return "\(field)&''\(word)''"
    case .equal: return same.joined()
    case .notEqual: return "NOT(\(same.joined()))"
    case .isIn where same.isEmpty:
      throw HTTPError(.unsupportedCriteria, reason: "its lists cannot be empty")
    case .isIn: return "OR(\(same.joined(separator: ",")))"
    case .hasPrefix: return "\(word)(\(escaped(condition.text)),\(field)&'')=1"
    default:
      guard !condition.isText, !same.contains("\(field)=TRUE()") else {
        throw condition.unsupported("compares numbers alone")
      }
      return "AND(\(field)&''!='',\(field)\(word)\(condition.text))"
    }
  }

  private static func escaped(_ text: String) -> String {
    "'"
      + text.unicodeScalars.map { "\\'".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
      .joined() + "'"
  }
}

extension HTTPFilters {
  /// Directus: `filter={"_and":[{"year":{"_gte":1980}}]}`.
  static let directus: HTTPFilters = {
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
}

extension HTTPFilters {
  /// Firebase Realtime Database: `orderBy="year"&startAt=1980&endAt=1982`.
  static let firebase: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "equalTo", .lessOrEqual: "endAt", .greaterOrEqual: "startAt", .between: "startAt",
        .isNull: "equalTo", .isNotNull: "startAt",
      ],
      filter: .items { bounds($0) }, order: nil,
      paging: .items { limit, offset in
        guard offset == 0 else {
          throw HTTPError(.unsupportedCriteria, reason: "it has no offset")
        }
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

  private static func bounds(_ condition: Condition) -> [URLQueryItem] {
    // An id is a text, even if it is a number in the app.
    let values = condition.isIdentifier ? condition.texts.map { "\"\($0)\"" } : condition.json
    let first = values.first ?? "null"
    let isText = condition.isText || condition.isIdentifier
    let least = isText ? "\"\"" : first == "true" ? "false" : "-1.7976931348623157e308"
    let bounds: [(String, String)] =
      switch condition.operation {
      // False comes immediately after null, before numbers and texts.
      case .isNotNull: [("startAt", "false")]
      case .between: [("startAt", first), ("endAt", values.last ?? first)]
      // Null would be less than any value.
      case .lessOrEqual: [("startAt", least), ("endAt", first)]
      default: [(condition.word, first)]
      }
    let name = condition.isIdentifier ? "$key" : condition.name
    return ([("orderBy", "\"\(name)\"")] + bounds).map { URLQueryItem(name: $0, value: $1) }
  }
}
