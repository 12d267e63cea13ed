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
