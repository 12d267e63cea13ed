public import Evocation
public import Foundation

extension HTTPFormat {
  /// A part of criteria besides their conditions, as in ``queryTakes``.
  public enum QueryPart: String, Sendable, Hashable, CaseIterable {
    /// The order of the models.
    case order
    /// How many models are wanted.
    case limit
    /// How many models are skipped.
    case offset
    /// The model or the page behind which the list continues.
    case cursor
  }

  /// Returns the query items of criteria, by ``query`` or else by ``filters``.
  ///
  /// With the default filters:
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
  /// Inside a list, a value that is empty or contains a comma, a quote or a line break is in double
  /// quotes, with quotes doubled, as in CSV. Keys and values are written as ``encoder`` writes them.
  ///
  /// - Throws: ``HTTPError`` with ``HTTPError/Code/unsupportedCriteria`` for a part that the service
  ///   cannot express, such as `||` and `!`. No part is ever left out.
  public func queryItems(for criteria: Criteria) throws -> [URLQueryItem] {
    let query = try written(
      criteria, names: KeyNames(encoder: encoder), text: ScalarText(encoder: encoder))
    return query.address?.queryItems ?? query.items
  }

  /// Returns the service's name for the property of a key, for closures of ``query``.
  ///
  /// The parts of a nested key are joined by the filters' ``HTTPFilters/separator``. A format does not
  /// know the model, so it takes each dot for a nested key.
  public func name(of key: Criteria.Key) -> String {
    KeyNames(encoder: encoder).parts(of: key).joined(separator: filters.separator)
  }

  /// Returns a value of criteria as the encoder writes it, for closures of ``query``.
  ///
  /// It is nil for null, and for numbers that the encoder cannot write.
  public func text(of value: Criteria.Scalar) -> String? {
    ScalarText(encoder: encoder).text(of: value)
  }

  /// Returns the query of criteria, with the header field `Range` if the service pages by it.
  func written(
    _ criteria: Criteria, names: KeyNames, text: ScalarText, isOrdered: Bool = true
  ) throws -> HTTPQuery {
    if let link = criteria.cursor?.link { return HTTPQuery(criteria: criteria, address: link) }
    if let query {
      for part in QueryPart.allCases where !queryTakes.contains(part) && criteria.has(part) {
        throw HTTPError.unsupported(
          "its query closure does not write the \(part); write it there, and add .\(part) to queryTakes"
        )
      }
      return HTTPQuery(items: try query(criteria), criteria: criteria)
    }
    try criteria.checkLevels()
    let writer = QueryWriter(
      filters: filters, names: names, text: text, identifierKey: identifierKey,
      parameters: parameters)
    var query = try writer.query(for: criteria, isOrdered: isOrdered)
    query.criteria = criteria
    return query
  }
}

extension Criteria {
  fileprivate func has(_ part: HTTPFormat.QueryPart) -> Bool {
    switch part {
    case .order: !order.isEmpty
    case .limit: limit != nil
    case .offset: offset > 0
    case .cursor: cursor != nil
    }
  }
}

extension URL {
  /// The items of the query, with plus signs read as spaces, as in forms.
  fileprivate var queryItems: [URLQueryItem] {
    var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    let query = components?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%20")
    components?.percentEncodedQuery = query
    return components?.queryItems ?? []
  }
}
