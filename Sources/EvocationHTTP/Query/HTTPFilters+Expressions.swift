import Evocation
import Foundation

extension HTTPFilters {
  /// One expression after PocketBase: `filter=(year>=1980&&name='x')`, `sort=-year,id`, `page=1`.
  ///
  /// PocketBase has no null: a text that nobody wrote is empty, and a number 0. Its `~` passes over
  /// case, so that there is no *contains*; a prefix is said by two bounds. Dates are text there, and
  /// have a blank and three digits of milliseconds, `2026-01-31 12:00:00.000Z`; those that the
  /// encoder writes otherwise are refused. It takes 200 conditions at most. Lists go on by
  /// `next = .offset`.
  public static let pocketBase: HTTPFilters = {
    var filters = HTTPFilters(
      [
        .equal: "=", .notEqual: "!=", .less: "<", .lessOrEqual: "<=", .greater: ">",
        .greaterOrEqual: ">=", .isIn: "=", .isNotIn: "!=", .hasPrefix: ">=",
      ],
      filter: .expression("filter", all: "&&", any: "||") { try comparison($0) },
      paging: .page(number: "page", size: "perPage"), largestPage: 1000)
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
    guard condition.operation == .hasPrefix, let end = condition.text.successor else {
      return try condition.text(values, all: "&&", any: "||")
    }
    return "(\(condition.name)>=\(values.joined())&&\(condition.name)<\(end.inQuotes))"
  }

  /// One expression after OData 4: `$filter=(year ge 1980 and contains(name,'x'))`, `$orderby=year
  /// desc,id`, `$top=20`.
  ///
  /// Text is in quotes; numbers, dates and UUIDs are not. Data cannot be compared. Whether case
  /// matters is the service's business: OData says that it does.
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
    filters.nulls = .unknown
    filters.ordersByIdentifier = true
    filters.separator = "/"
    let words: Set = ["true", "false", "null", "not", "and", "or", "NaN", "INF"]
    filters.isName = { $0.isIdentifier && !words.contains($0) }
    return filters
  }()

  private static func clause(_ condition: Condition) throws -> String {
    let values = try condition.literals { value, text in
      switch value {
      case .data: throw condition.unsupported("cannot compare data")
      case .text, .url: "'" + text.escaping("'") { "\($0)\($0)" } + "'"
      case .bool, .integer, .unsigned, .real, .decimal, .date, .uuid, .null: text
      }
    }
    guard condition.operation == .hasPrefix || condition.operation == .contains else {
      return try condition.text(values, all: " and ", any: " or ")
    }
    return "\(condition.word)(\(condition.name),\(values.joined()))"
  }

  /// One formula after Airtable: `filterByFormula=AND({Year}>=1980,EXACT({Name},'x'))`,
  /// `sort[0][field]=Year`, `maxRecords=20`.
  ///
  /// Airtable takes an empty cell for 0, so that a number has `{Year}&''!=''` beside it. It has no
  /// empty text, no *false* apart from an empty cell, no order of texts, and dates are not compared.
  /// A prefix is that of a text.
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

  /// A number or a Boolean, unless the service would not read it as one.
  fileprivate func plain(_ text: String) throws -> String {
    guard !isText, text.contains("e"), Double(text) != nil else { return text }
    throw unsupported("takes no number with an exponent, which \"\(key)\" is compared with")
  }
}

extension String {
  /// A letter or an underscore, and more of these or digits.
  fileprivate var isIdentifier: Bool { wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil }

  /// The text in single quotes, with a backslash before a backslash or a quote.
  fileprivate var inQuotes: String {
    "'" + escaping("\\'") { "\\\($0)" } + "'"
  }

  /// The least text that is greater than all that begin with this one, by code points; nil for none.
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
