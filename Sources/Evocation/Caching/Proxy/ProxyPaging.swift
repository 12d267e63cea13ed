public import Foundation

/// How a remote repository is asked for one page after the other.
///
/// ```swift
/// let cars = Evocation.shared.pagingCache(for: Car.self, pageSize: 50, paging: .after)
/// ```
public struct ProxyPaging: Sendable {
  enum Kind: Sendable {
    case offset
    case after
    case cursor(key: String, previous: String?, @Sendable (Criteria, String) -> Criteria)
    case number(first: Int, @Sendable (Criteria, Int) -> Criteria)
  }

  let kind: Kind

  /// Whether pages are found by what the last one had or said.
  package var isByPlace: Bool {
    switch kind {
    case .after, .cursor: true
    case .offset, .number: false
    }
  }

  /// Whether pages are counted, so that each has to be asked for with the same limit.
  var isByNumber: Bool {
    if case .number = kind { true } else { false }
  }

  /// By limit and offset; a page shorter than was asked for is the last.
  public static let offset = ProxyPaging(kind: .offset)

  /// By limit and the place of the last model in the order; a shorter page is the last.
  ///
  /// Unlike by offset, no model is skipped when others come or go before it.
  public static let after = ProxyPaging(kind: .after)

  /// By the addresses of the next and the previous page that an answer carries.
  ///
  /// `HTTPRepository` reads them off the field `Link`, and follows them: of an address, its query.
  public static let link = cursor(key: "next", previousKey: "previous") { criteria, text in
    criteria.after(URL(string: text).map(Criteria.Cursor.link))
  }

  /// By a text that the answer carries in addition to its models.
  ///
  /// - Parameters:
  ///   - key: The name in the answer's metadata, or a field's name in its headers. Without such a
  ///     value, or with an empty one, the page is the last.
  ///   - previousKey: The same for the page before; nil when there is none.
  ///   - criteria: Makes the criteria of a page; by default the text is the cursor, which
  ///     `HTTPRepository` sends as `after`.
  /// - Returns: Paging that ends where there is no such text.
  public static func cursor(
    key: String, previousKey: String? = nil,
    criteria: @escaping @Sendable (Criteria, String) -> Criteria = { $0.after(.text($1)) }
  ) -> ProxyPaging {
    ProxyPaging(kind: .cursor(key: key, previous: previousKey, criteria))
  }

  /// By a page's number; a page shorter than was asked for is the last.
  ///
  /// The limit is the same for each page of a list, and what is beyond the criteria's own is left out.
  ///
  /// ```swift
  /// let paging = ProxyPaging.number { criteria, page in criteria && ["page": page] }
  /// ```
  ///
  /// - Parameters:
  ///   - first: The first page's number.
  ///   - criteria: Makes the criteria of a page from those of the list, which have the limit.
  /// - Returns: Paging that counts.
  public static func number(
    from first: Int = 1, criteria: @escaping @Sendable (Criteria, Int) -> Criteria
  ) -> ProxyPaging {
    ProxyPaging(kind: .number(first: first, criteria))
  }
}

extension Criteria.Cursor {
  /// A cursor that is a service's own text.
  public static func text(_ text: String) -> Criteria.Cursor {
    Criteria.Cursor(values: [], id: [.text(text)])
  }

  /// A cursor that is a page's address.
  ///
  /// It has no id, which tells it from a place in an order.
  public static func link(_ url: URL) -> Criteria.Cursor {
    Criteria.Cursor(values: [.url(url)], id: [])
  }

  /// The page's address; nil for a place in an order.
  public var link: URL? {
    guard id.isEmpty, case .url(let url)? = values.last else { return nil }
    return url
  }
}
