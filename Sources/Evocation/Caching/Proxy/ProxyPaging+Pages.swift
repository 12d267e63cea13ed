import Foundation

extension ProxyPaging {
  /// The criteria by which the remote repository is asked for a page.
  ///
  /// - Throws: ``CacheError/unknownPage`` for a page by another kind of paging; a first page is one of
  ///   any kind.
  func criteria(
    _ page: ProxyPage, of criteria: Criteria, limit: Int
  ) throws(CacheError) -> Criteria {
    var asked = criteria
    asked.limit = limit
    let isFirst = page.position == 0
    switch (page.place, kind) {
    case (nil, .number(let first, let ask)) where isFirst: return ask(asked, first)
    case (nil, .offset),
      (nil, .after) where isFirst,
      (nil, .cursor) where isFirst:
      asked.offset = max(0, criteria.offset).addingClamped(max(0, page.position))
    case (.after(let cursor), .after):
      asked.offset = 0
      asked.cursor = cursor
    case (.cursor(let text), .cursor(_, _, let ask)): return ask(asked, text)
    case (.number(let number), .number(_, let ask)): return ask(asked, number)
    case (nil, _), (.after, _), (.cursor, _), (.number, _): throw .unknownPage
    }
    return asked
  }

  /// What the next page is asked for with, after one that was as long as it was asked for or not; nil
  /// after the last.
  func next<Model>(
    after page: ProxyPage, _ models: [Model], isFull: Bool, _ values: [String: any Sendable],
    of criteria: Criteria, size: Int
  ) throws -> ProxyPage? {
    let position = page.position.addingClamped(models.count)
    if let most = criteria.limit, position >= most { return nil }
    // Where no limit needs it, it is left out, so that a service that leads in a circle is found out.
    let counted = criteria.limit == nil ? 0 : position
    switch kind {
    case .offset:
      return isFull ? ProxyPage(position: position, size: size) : nil
    case .after:
      guard isFull, let last = models.last else { return nil }
      guard let last = last as? any (Encodable & Identifiable) else {
        throw EvocationError.notIdentifiable(model: "\(Model.self)")
      }
      return ProxyPage(position: counted, place: .after(try criteria.cursor(at: last)), size: size)
    case .cursor(let key, _, _):
      return Self.text(key, in: values).map {
        ProxyPage(position: counted, place: .cursor($0), size: size)
      }
    case .number(let first, _):
      var number = first
      if case .number(let present) = page.place { number = present }
      // After the greatest number there is no page.
      guard isFull, number < .max else { return nil }
      return ProxyPage(position: counted, place: .number(number + 1), size: size)
    }
  }

  /// What the previous page is asked for with, where an answer says so.
  func previous(
    before page: ProxyPage, _ values: [String: any Sendable], size: Int
  ) -> ProxyPage? {
    guard case .cursor(_, let key?, _) = kind else { return nil }
    return Self.text(key, in: values).map {
      ProxyPage(position: page.position, place: .cursor($0), size: size)
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
