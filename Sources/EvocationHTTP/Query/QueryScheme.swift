public import Evocation
public import Foundation

/// Turns criteria into query items by the default scheme.
struct QueryScheme {
  let text: ScalarText
  private(set) var items: [URLQueryItem] = []

  init(text: ScalarText) {
    self.text = text
  }

  mutating func append(_ criteria: Criteria) throws {
    try criteria.checkLevels()
    if let predicate = criteria.predicate { try append(predicate) }
    if !criteria.order.isEmpty {
      let fields = try criteria.order.map { sort in
        (sort.descending ? "-" : "") + (try Self.checked(sort.key))
      }
      append("sort", fields.joined(separator: ","))
    }
    if let limit = criteria.limit { append("limit", String(limit)) }
    if criteria.offset > 0 { append("offset", String(criteria.offset)) }
    if let cursor = criteria.cursor { try append(cursor) }
  }

  private mutating func append(_ predicate: Criteria.Predicate) throws {
    switch predicate {
    case .comparison(let key, let comparison, let operand):
      try append(key, comparison, operand.value)
    case .isIn(let key, let values):
      try append(key, "in", list(values, key, "in"))
    case .between(let key, let lower, let upper):
      try append(key, "between", list([lower, upper], key, "between"))
    case .isNull(let key):
      try append(key, "null", "true")
    case .hasPrefix(let key, let prefix):
      try append(key, "prefix", prefix)
    case .contains(let key, let operand):
      try append(key, "contains", value(operand.value, key, "contains"))
    case .all(let parts):
      for part in parts { try append(part) }
    case .any:
      throw Self.unsupported("it has no \"or\"")
    case .not:
      throw Self.unsupported("it has no \"not\"")
    }
  }

  private mutating func append(
    _ key: Criteria.Key, _ comparison: Criteria.Comparison, _ scalar: Criteria.Scalar
  ) throws {
    let name: String? =
      switch comparison {
      case .equal: nil
      case .notEqual: "ne"
      case .less: "lt"
      case .lessOrEqual: "lte"
      case .greater: "gt"
      case .greaterOrEqual: "gte"
      }
    if scalar == .null, comparison == .equal || comparison == .notEqual {
      try append(key, "null", comparison == .equal ? "true" : "false")
    } else {
      try append(key, name, value(scalar, key, name ?? "="))
    }
  }

  private mutating func append(_ cursor: Criteria.Cursor) throws {
    guard cursor.id.count == 1, let id = cursor.id.first, id != .null else {
      throw Self.unsupported("its \"after\" takes a cursor whose id is one value")
    }
    append("after", try value(id, "after", "after"))
  }

  private mutating func append(_ key: Criteria.Key, _ name: String?, _ value: String) throws {
    let field = try Self.checked(key)
    append(name.map { "\(field)[\($0)]" } ?? field, value)
  }

  private mutating func append(_ name: String, _ value: String) {
    items.append(URLQueryItem(name: name, value: value))
  }

  private func value(
    _ scalar: Criteria.Scalar, _ key: Criteria.Key, _ name: String
  ) throws -> String {
    guard let value = try text.text(of: scalar) else {
      throw Self.unsupported("its \"\(name)\" cannot compare \"\(key)\" with null, NaN or infinity")
    }
    return value
  }

  private func list(
    _ scalars: [Criteria.Scalar], _ key: Criteria.Key, _ name: String
  ) throws -> String {
    try scalars.map { Self.quoted(try value($0, key, name)) }.joined(separator: ",")
  }

  private static func quoted(_ text: String) -> String {
    let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]
    guard text.isEmpty || text.unicodeScalars.contains(where: special.contains) else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }

  /// The name of a key; throws for one that the service would not read as a field.
  private static func checked(_ key: Criteria.Key) throws -> String {
    let isReserved = ["sort", "limit", "offset", "after"].contains(key.name)
    let isAmbiguous = key.name.isEmpty || key.name.hasPrefix("-")
    guard !isReserved, !isAmbiguous, !key.name.contains(where: { "[],".contains($0) }) else {
      throw unsupported("the key \"\(key)\" would not be read as a field")
    }
    return key.name
  }

  private static func unsupported(_ reason: String) -> HTTPError {
    HTTPError(.unsupportedCriteria, reason: reason)
  }
}

extension HTTPConfiguration {
  /// The query items of criteria, by ``query`` or by the default scheme.
  ///
  /// | criteria | query |
  /// |---|---|
  /// | `"origin" == "Japan"` | `origin=Japan` |
  /// | `"owner" == nil`, `isNull`; `!= nil` | `owner[null]=true`; `owner[null]=false` |
  /// | `!=`, `<`, `<=`, `>`, `>=` | `year[ne]=1970`, `lt`, `lte`, `gt`, `gte` |
  /// | `in`, `between` | `year[in]=1970,1982`, `year[between]=1971,1973` |
  /// | `hasPrefix`, `contains` | `name[prefix]=ford`, `name[contains]=sw` |
  /// | `&&` | one item after the other |
  /// | order, limit, offset | `sort=-year,name`, `limit=20`, `offset=40` |
  /// | a cursor | `after=17`, its id |
  /// | a link | the link's own query, in place of all the rest |
  ///
  /// Within a list, a value that is empty or holds a comma, a quote or a line break stands in
  /// double quotes, with quotes doubled, as in CSV. Dates are written as ``encoder`` writes them.
  ///
  /// - Throws: ``HTTPError`` with ``HTTPError/Code/unsupportedCriteria`` for what the scheme cannot
  ///   say, such as `||` and `!`; nothing is ever left out.
  public func queryItems(for criteria: Criteria) throws -> [URLQueryItem] {
    if let link = criteria.cursor?.link { return link.queryItems }
    if let query { return try query(criteria) }
    var scheme = QueryScheme(text: ScalarText(encoder: encoder))
    try scheme.append(criteria)
    return scheme.items
  }
}

extension URL {
  /// The query's items, in which a plus sign is a blank, as forms have it.
  fileprivate var queryItems: [URLQueryItem] {
    var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let query = components?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%20")
    components?.percentEncodedQuery = query
    return components?.queryItems ?? []
  }
}
