public import Foundation

/// How Evocation requests the pages of a list from a remote repository.
///
/// ```swift
/// let cars = Evocation.shared.pagingCache(Car.self, pageSize: 50, options: .init(paging: .after))
/// ```
public struct ProxyPaging: Sendable, PlainlyPrinted {
  enum Kind: Sendable {
    case automatic
    case offset
    case after
    case cursor(key: String, previous: String?, @Sendable (Criteria, String) -> Criteria)
    case number(first: Int, endsWithNotFound: Bool, @Sendable (Criteria, Int) -> Criteria)
  }

  let kind: Kind

  /// Whether the answer before a page says how to find it.
  package var isByAnswer: Bool {
    switch kind {
    case .after, .cursor: true
    case .automatic, .offset, .number: false
    }
  }

  /// Whether pages have numbers, so that all need the same limit.
  var isByNumber: Bool {
    if case .number = kind { true } else { false }
  }

  /// As the remote repository's answers say, and by limit and offset where they do not say it.
  ///
  /// `HTTPRepository` knows from its format how its lists continue. Any other repository is asked by
  /// ``offset``.
  public static let automatic = ProxyPaging(kind: .automatic)

  /// By limit and offset.
  ///
  /// A page is the last if it is empty, or if the answer's metadata say so: by an empty `next`, or by
  /// a `totalCount` that the list has reached. If they say nothing, a page with fewer models than the
  /// limit is the last, unless it has ten or more and no page before it was full.
  public static let offset = ProxyPaging(kind: .offset)

  /// By limit and the last model's position in the order; a page is the last as with ``offset``.
  ///
  /// Unlike with an offset, the list misses no model when models before it come or go.
  public static let after = ProxyPaging(kind: .after)

  /// By the addresses of the next and the previous page in an answer.
  ///
  /// `HTTPRepository` reads them from the field `Link`, and uses the query of the address. A
  /// service without addresses is an error, as with ``cursor(key:previousKey:criteria:)``.
  public static let link = cursor(key: "next", previousKey: "previous") { criteria, text in
    criteria.after(URL(string: text).map(Criteria.Cursor.link))
  }

  /// By a text that an answer has beside its models.
  ///
  /// A page without the text is the last. After a full first page without the text, however, it is
  /// open whether the service has such texts at all. Evocation then requests the first model alone,
  /// after which a page must follow. If that answer has no text either, Evocation cannot page the
  /// list, and the refresh fails with ``CacheError/noPageKey(_:tag:)``. Evocation needs no such
  /// request if the answer has either key, even with an empty text, or all of the models that its
  /// `totalCount` counts.
  ///
  /// - Parameters:
  ///   - key: The text's name in the answer's metadata, or the name of a header field. Without such
  ///     a text, or with an empty one, the page is the last.
  ///   - previousKey: The same for the page before; nil when the service does not have it.
  ///   - criteria: Creates the criteria of a page. By default the text is the cursor, which
  ///     `HTTPRepository` sends as `after`.
  /// - Returns: Paging that ends where there is no such text.
  public static func cursor(
    key: String, previousKey: String? = nil,
    criteria: @escaping @Sendable (Criteria, String) -> Criteria = { $0.after(.text($1)) }
  ) -> ProxyPaging {
    ProxyPaging(kind: .cursor(key: key, previous: previousKey, criteria))
  }

  /// By a page's number; a page is the last as with ``offset``.
  ///
  /// Each page of a list has the same limit. The list omits models beyond the criteria's own limit.
  ///
  /// ```swift
  /// let paging = ProxyPaging.number { criteria, page in criteria && ["page": page] }
  /// ```
  ///
  /// - Parameters:
  ///   - first: The first page's number.
  ///   - endsWithNotFound: Whether an error that says "not found", such as the status 404, means an
  ///     empty page. For the first page, it is an error in any case.
  ///   - criteria: Creates the criteria of a page from those of the list, which have the limit.
  /// - Returns: Paging by number.
  public static func number(
    from first: Int = 1, endsWithNotFound: Bool = false,
    criteria: @escaping @Sendable (Criteria, Int) -> Criteria
  ) -> ProxyPaging {
    ProxyPaging(kind: .number(first: first, endsWithNotFound: endsWithNotFound, criteria))
  }
}

extension Criteria.Cursor {
  /// Creates a cursor from a text of the service.
  public static func text(_ text: String) -> Criteria.Cursor {
    Criteria.Cursor(values: [], id: [.text(text)])
  }

  /// Creates a cursor from the address of a page.
  ///
  /// It has no id, unlike a position in an order.
  public static func link(_ url: URL) -> Criteria.Cursor {
    Criteria.Cursor(values: [.url(url)], id: [])
  }

  /// The address of the page; nil for a position in an order.
  public var link: URL? {
    guard id.isEmpty, case .url(let url)? = values.last else { return nil }
    return url
  }
}

extension ProxyPaging {
  /// Returns the criteria that request a page from the remote repository.
  ///
  /// - Throws: ``CacheError/unknownPage`` for a page of another kind of paging; a first page fits
  ///   every kind.
  func criteria(
    _ page: ProxyPage, of criteria: Criteria, limit: Int
  ) throws(CacheError) -> Criteria {
    var asked = criteria
    asked.limit = limit
    let isFirst = page.position == 0
    switch (page.place, kind) {
    case (nil, .number(let first, _, let ask)) where isFirst: return ask(asked, first)
    case (nil, .automatic), (nil, .offset),
      (nil, .after) where isFirst,
      (nil, .cursor) where isFirst:
      asked.offset = max(0, criteria.offset).addingClamped(max(0, page.position))
    case (.after(let cursor), .after):
      asked.offset = 0
      asked.cursor = cursor
    case (.cursor(let text), .automatic): return asked.after(URL(string: text).map { .link($0) })
    case (.cursor(let text), .cursor(_, _, let ask)): return ask(asked, text)
    case (.number(let number), .number(_, _, let ask)): return ask(asked, number)
    case (nil, _), (.after, _), (.cursor, _), (.number, _): throw .unknownPage
    }
    return asked
  }

  /// Returns the requirements of the next page; nil after the last.
  ///
  /// A page is full when it has as many models as the limit.
  func next<Model>(
    after page: ProxyPage, _ models: [Model], isFull: Bool, values: [String: any Sendable],
    of criteria: Criteria, size: Int
  ) throws -> ProxyPage? {
    let leftOut = LeftOut(values) ?? LeftOut()
    let count = models.count + leftOut.places.count
    let position = page.position.addingClamped(count)
    if let most = criteria.limit, position >= most { return nil }
    // Without a limit the position is left out, so that pages in a circle have equal requirements.
    let counted = criteria.limit == nil ? 0 : position
    let end = PageEnd(
      page: page, count: count, unmatched: leftOut.count - leftOut.places.count,
      isFull: isFull, size: size, start: max(0, criteria.offset), values: values)
    switch kind {
    case .automatic:
      if let next = Self.text("next", in: values) {
        return ProxyPage(position: counted, place: .cursor(next), size: size)
      }
      guard page.place == nil, !end.isLastByPosition else { return nil }
      return ProxyPage(position: position, size: size)
    case .offset:
      return end.isLastByPosition ? nil : ProxyPage(position: position, size: size)
    case .after:
      guard !end.isLastByCursor, let last = models.last else { return nil }
      guard let last = last as? any (Encodable & Identifiable) else {
        throw EvocationError.notIdentifiable(model: "\(Model.self)")
      }
      return ProxyPage(position: counted, place: .after(try criteria.cursor(at: last)), size: size)
    case .cursor(let key, _, _):
      return Self.text(key, in: values).map {
        ProxyPage(position: counted, place: .cursor($0), size: size)
      }
    case .number(let first, _, _):
      var number = first
      if case .number(let present) = page.place { number = present }
      // The greatest number has no next one.
      guard !end.isLastByPosition, number < .max else { return nil }
      return ProxyPage(position: position, place: .number(number + 1), size: size)
    }
  }

  /// Returns the requirements of the previous page, where the answer has one.
  func previous(
    before page: ProxyPage, _ values: [String: any Sendable], size: Int
  ) -> ProxyPage? {
    guard case .cursor(_, let key?, _) = kind else { return nil }
    return Self.text(key, in: values).map {
      ProxyPage(position: page.position, place: .cursor($0), size: size)
    }
  }

  /// Whether an error of a page means that the list ended before it.
  func isEnd(_ error: any Error, of page: ProxyPage) -> Bool {
    guard case .number(let first, true, _) = kind, case .number(let number) = page.place,
      number != first
    else { return false }
    return (error as? any ClassifiedError)?.isNotFound ?? false
  }

  /// Returns the key that a full first page lacks, so that it is open whether a page follows.
  ///
  /// - Parameters:
  ///   - page: The requested page.
  ///   - fetched: The answer.
  ///   - limit: How many models were requested.
  ///   - criteria: The list's criteria.
  /// - Returns: The key; nil where the answer says it, or the page is not the first, or not full.
  func missingKey<Model>(
    after page: ProxyPage, _ fetched: ProxyFetch<Model>, limit: Int, of criteria: Criteria
  ) -> String? {
    let count = fetched.models.count
    guard case .cursor(let key, let previous, _) = kind, page.place == nil, count >= limit,
      [key, previous ?? key].allSatisfy({ Self.value($0, in: fetched.values) == nil })
    else { return nil }
    if let most = criteria.limit, count >= most { return nil }
    guard let total = fetched.values["totalCount"] as? Int else { return key }
    return total <= max(0, criteria.offset).addingClamped(count) ? nil : key
  }

  /// The value of a name in an answer's metadata or headers.
  private static func value(
    _ key: String, in values: [String: any Sendable]
  ) -> (any Sendable)? {
    values[key] ?? (values["headers"] as? [String: String])?[key.lowercased()]
  }

  /// The text of a name in an answer's metadata or headers; nil when it is empty.
  private static func text(_ key: String, in values: [String: any Sendable]) -> String? {
    let text: String? =
      switch value(key, in: values) {
      case let url as URL: url.absoluteString
      case let text as any LosslessStringConvertible: text.description
      default: nil
      }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
