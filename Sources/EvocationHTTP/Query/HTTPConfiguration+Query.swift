public import Evocation
public import Foundation

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
  /// Within a list, a value that is empty or holds a comma, a quote or a line break stands in double
  /// quotes, with quotes doubled, as in CSV. Dates are written as ``encoder`` writes them.
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
