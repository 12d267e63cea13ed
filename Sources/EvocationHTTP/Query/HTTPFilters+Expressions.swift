import Evocation
import Foundation

extension HTTPFilters {
  /// One expression, as in PocketBase: `filter=(year>=1980&&name='x')`, `sort=-year,id`, `page=1`.
  ///
  /// - PocketBase has no null: an unset text is empty, and an unset number is 0.
  /// - Its `~` ignores the case of letters in ASCII, so there is no `contains` with case. Two bounds
  ///   express a prefix. Without case, `contains` and `hasPrefix` take texts in ASCII.
  /// - Dates are text with a blank and three digits of milliseconds, `2026-01-31 12:00:00.000Z`. A date
  ///   that the encoder writes in another form is refused.
  /// - An expression has at most 200 conditions.
  /// - Set `next = .offset` for lists.
  public static let pocketBase: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "=", .notEqual: "!=", .less: "<", .lessOrEqual: "<=", .greater: ">",
        .greaterOrEqual: ">=", .isIn: "=", .isNotIn: "!=", .hasPrefix: ">=",
      ],
      filter: .expression("filter", all: "&&", any: "||") { try comparison($0) },
      paging: .page(number: "page", size: "perPage"), largestPage: 1000)
    filters.textOperators[.caseInsensitive] = [.hasPrefix: "~", .contains: "~"]
    filters.nulls = .none
    filters.ordersByIdentifier = true
    filters.isName = { $0.isIdentifier && !["true", "false", "null"].contains($0) }
    return filters
  }()

  private static func comparison(_ condition: Condition) throws -> String {
    let values = try condition.literals { value, text in
      switch value {
      case .date where text.wholeMatch(of: #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/#) == nil:
        throw condition.unsupported("takes dates with a blank and milliseconds alone")
      case .text, .date, .uuid, .url, .data: text.inQuotes
      case .bool, .integer, .unsigned, .real, .decimal, .null: try condition.plain(text)
      }
    }
    guard condition.options.isEmpty else { return try like(condition) }
    guard condition.operation == .hasPrefix, let end = condition.text.successor else {
      return try condition.text(values, all: "&&", any: "||")
    }
    return "(\(condition.name)>=\(values.joined())&&\(condition.name)<\(end.inQuotes))"
  }

  /// Returns a comparison by SQLite's `LIKE`, which knows the case of letters in ASCII alone.
  private static func like(_ condition: Condition) throws -> String {
    guard condition.text.utf8.allSatisfy({ $0 < 0x80 }), !condition.text.has(anyOf: "%_\\") else {
      throw condition.unsupported("takes only texts in ASCII, without %, _ and \\")
    }
    let start = condition.operation == .contains ? "%" : ""
    return "\(condition.name)~\((start + condition.text + "%").inQuotes)"
  }

  /// One expression, as in OData 4: `$filter=(year ge 1980 and contains(name,'x'))`, `$top=20`.
  ///
  /// An order is `$orderby=year desc,id`. Text is in quotes; numbers, dates and UUIDs are not. Data
  /// cannot be compared. The service decides whether case matters; by OData it does. Text without case is
  /// compared by `tolower`.
  public static let oData: HTTPFilters = {
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
    filters.isName = { $0.isIdentifier && !words.contains($0) }
    return filters
  }()

  private static func clause(_ condition: Condition) throws -> String {
    if !condition.options.isEmpty {
      let (name, text) = ("tolower(\(condition.name))", "tolower(\(inODataQuotes(condition.text)))")
      return condition.operation == .equal
        ? name + condition.word + text : "\(condition.word)(\(name),\(text))"
    }
    let values = try condition.literals { value, text in
      switch value {
      case .data: throw condition.unsupported("cannot compare data")
      case .text, .url: inODataQuotes(text)
      case .bool, .integer, .unsigned, .real, .decimal, .date, .uuid, .null: text
      }
    }
    guard condition.operation == .hasPrefix || condition.operation == .contains else {
      return try condition.text(values, all: " and ", any: " or ")
    }
    return "\(condition.word)(\(condition.name),\(values.joined()))"
  }

  private static func inODataQuotes(_ text: String) -> String {
    "'" + text.escaping("'") { "\($0)\($0)" } + "'"
  }

  /// One formula, as in Airtable: `filterByFormula=AND({Year}>=1980,EXACT({Name},'x'))`.
  ///
  /// An order is `sort[0][field]=Year`, a limit `maxRecords=20`. Airtable reads an empty cell as 0, so
  /// a number has `{Year}&''!=''` beside it. It has no empty text, and no false beside an empty cell.
  /// It does not order texts, and does not compare dates. A prefix compares the text of a cell.
  public static let airtable: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "=", .notEqual: "=", .less: "<", .lessOrEqual: "<=", .greater: ">",
        .greaterOrEqual: ">=", .isIn: "=", .isNull: "=", .isNotNull: "!=", .hasPrefix: "FIND",
      ],
      filter: .expression("filterByFormula", condition: { try formula($0) }) { join, parts in
        switch join {
        case .all: "AND(\(parts.joined(separator: ",")))"
        case .any: "OR(\(parts.joined(separator: ",")))"
        case .not: "NOT(\(parts.joined()))"
        }
      },
      order: Ordering { orders in
        try orders.enumerated().flatMap { index, order in
          guard !order.isIdentifier else { throw HTTPError.unsupported("it cannot sort by the id") }
          return [
            URLQueryItem(name: "sort[\(index)][field]", value: order.name),
            URLQueryItem(
              name: "sort[\(index)][direction]", value: order.descending ? "desc" : "asc"),
          ]
        }
      }, paging: .limit("maxRecords"))
    filters.hasEmptyTexts = false
    filters.isName = { !$0.isEmpty && !$0.has(anyOf: "{}") }
    return filters
  }()

  private static func formula(_ condition: Condition) throws -> String {
    guard condition.path.count == 1 else {
      throw condition.unsupported("takes no nested key, such as \"\(condition.key)\"")
    }
    let field = condition.isIdentifier ? "RECORD_ID()" : "{\(condition.name)}"
    let word = condition.word
    let same = try condition.literals { value, text in
      switch value {
      case .text, .uuid, .url: return "EXACT(\(field),\(text.inQuotes))"
      case .bool(true): return "\(field)=TRUE()"
      case .bool, .date, .data, .null:
        throw condition.unsupported("compares neither false nor dates nor data")
      case .integer, .unsigned, .real, .decimal:
        return "AND(\(field)&''!='',\(field)=\(try condition.plain(text)))"
      }
    }
    switch condition.operation {
    case .isNull, .isNotNull: return "\(field)&''\(word)''"
    case .equal: return same.joined()
    case .notEqual: return "NOT(\(same.joined()))"
    case .isIn, .isNotIn: return try "OR" + condition.list(same, joined: ",")
    case .hasPrefix: return "\(word)(\(condition.text.inQuotes),\(field)&'')=1"
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .contains:
      guard !condition.isText, !same.contains("\(field)=TRUE()") else {
        throw condition.unsupported("compares numbers alone")
      }
      return "AND(\(field)&''!='',\(field)\(word)\(condition.text))"
    }
  }
}

extension HTTPFilters.Condition {
  fileprivate func literals(
    _ literal: (Criteria.Scalar, String) throws -> String
  ) rethrows -> [String] {
    try zip(values, texts).map(literal)
  }

  /// Returns a number or a Boolean, unless the service would not read it as one.
  fileprivate func plain(_ text: String) throws -> String {
    guard !isText, text.contains("e"), Double(text) != nil else { return text }
    throw unsupported("takes no number with an exponent, which \"\(key)\" is compared with")
  }
}

extension String {
  /// Whether it is a letter or an underscore, followed by more of these or digits.
  fileprivate var isIdentifier: Bool { wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil }

  /// The text in single quotes, with a backslash before a backslash or a quote.
  fileprivate var inQuotes: String {
    "'" + escaping("\\'") { "\\\($0)" } + "'"
  }

  /// The least text, by code points, that is greater than all texts with this prefix; nil for none.
  fileprivate var successor: String? {
    var scalars = unicodeScalars
    while let last = scalars.popLast() {
      guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else {
        continue
      }
      scalars.append(next)
      return String(scalars)
    }
    return nil
  }
}
