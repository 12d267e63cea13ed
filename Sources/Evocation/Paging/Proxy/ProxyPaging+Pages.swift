import Foundation

extension ProxyPaging {
  /// The criteria by which the remote repository is asked for a page.
  ///
  /// - Throws: ``CacheError/unknownPage`` for a page by another kind of paging.
  func criteria(
    _ page: ProxyPage, of criteria: Criteria, limit: Int
  ) throws(CacheError) -> Criteria {
    var asked = criteria
    asked.limit = limit
    switch (page.place, kind) {
    case (nil, .number(let first, let ask)): return ask(asked, first)
    case (nil, _):
      asked.offset = max(0, criteria.offset) + page.position
    case (.after(let cursor), _):
      asked.offset = 0
      asked.cursor = cursor
    case (.cursor(let text), .cursor(_, _, let ask)): return ask(asked, text)
    case (.number(let number), .number(_, let ask)): return ask(asked, number)
    case (.cursor, _), (.number, _): throw .unknownPage
    }
    return asked
  }

  /// What the next page is asked for with; nil after the last.
  func next<Model>(
    after page: ProxyPage, _ models: [Model], _ values: [String: any Sendable],
    of criteria: Criteria, limit: Int
  ) throws -> ProxyPage? {
    let position = page.position + models.count
    if let most = criteria.limit, position >= most { return nil }
    let isFull = models.count >= limit
    // Where no limit needs it, it is left out, so that a service that leads in a circle is found out.
    let counted = criteria.limit == nil ? 0 : position
    switch kind {
    case .offset:
      return isFull ? ProxyPage(position: position) : nil
    case .after:
      guard isFull, let last = models.last else { return nil }
      guard let last = last as? any (Encodable & Identifiable) else {
        throw EvocationError.notIdentifiable(model: "\(Model.self)")
      }
      return ProxyPage(position: counted, place: .after(try criteria.cursor(at: last)))
    case .cursor(let key, _, _):
      return Self.text(key, in: values).map { ProxyPage(position: counted, place: .cursor($0)) }
    case .number(let first, _):
      guard isFull else { return nil }
      guard case .number(let number) = page.place else {
        return ProxyPage(position: counted, place: .number(first + 1))
      }
      return ProxyPage(position: counted, place: .number(number + 1))
    }
  }

  /// What the previous page is asked for with, where an answer says so.
  func previous(before page: ProxyPage, _ values: [String: any Sendable]) -> ProxyPage? {
    guard case .cursor(_, let key?, _) = kind else { return nil }
    return Self.text(key, in: values).map {
      ProxyPage(position: page.position, place: .cursor($0))
    }
  }

  /// What an answer's metadata or headers hold under a name, unless that is empty.
  private static func text(_ key: String, in values: [String: any Sendable]) -> String? {
    let headers = values["headers"] as? [String: String]
    let value: (any Sendable)? = values[key] ?? headers?[key.lowercased()]
    let text: String? =
      switch value {
      case let url as URL: url.absoluteString
      case let text as any LosslessStringConvertible: text.description
      default: nil
      }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
