/// The parameters that a service needs for one page.
///
/// They may be a number, a cursor, the last id, or the first and the last id. The ledger keeps them
/// with the list, so that the list can be continued after a restart.
///
/// ```swift
/// struct AfterRepo: PageRequirements {
///   var lastID: Int?
/// }
/// ```
///
/// ``PageNumber`` and ``PageCursor`` exist already.
public protocol PageRequirements: Sendable, Hashable, Codable {
  /// Whether these mean that there is no page, as an empty cursor does.
  var isEnd: Bool { get }
}

extension PageRequirements {
  /// False: there is always a page to request.
  public var isEnd: Bool { false }
}

/// The number of a page, for services that count their pages.
///
/// ```swift
/// let second = PageNumber(1).next
/// ```
public struct PageNumber: PageRequirements, ExpressibleByIntegerLiteral, PlainlyPrinted {
  /// The number; whether the first page is 0 or 1 depends on the service.
  public var number: Int

  /// Creates a page's number.
  public init(_ number: Int) {
    self.number = number
  }

  /// Creates a page's number from a literal.
  public init(integerLiteral number: Int) {
    self.number = number
  }

  /// The page after this one; the greatest possible number stays unchanged.
  public var next: PageNumber { PageNumber(number.addingClamped(1)) }

  /// The page before this one; the least possible number stays unchanged.
  public var previous: PageNumber { PageNumber(number.subtractingClamped(1)) }
}

/// A text by which a service finds a page: a cursor from its last answer, an id, a link.
///
/// An empty text means that there is no page. ``start``, which has no text, is the first page.
///
/// A source starts without a cursor, and continues with the one from the last answer:
///
/// ```swift
/// func firstPage(_ requirements: Requirements) -> PageCursor { .start }
///
/// func fetchFreshCache(
///   _ requirements: Requirements, pagingRequirements page: PageCursor
/// ) async throws -> FetchedPage<[Member], PageCursor> {
///   let answer = try await service.followers(of: requirements.user, from: page.cursor)
///   return FetchedPage(answer.members, next: PageCursor(answer.token))
/// }
/// ```
public struct PageCursor: PageRequirements, PlainlyPrinted {
  /// The text; nil for the first page.
  public var cursor: String?

  /// Creates a cursor; nil and an empty text mean that there is no page.
  public init(_ cursor: String?) {
    self.cursor = cursor ?? ""
  }

  private init() {
    cursor = nil
  }

  /// The first page.
  public static let start = PageCursor()

  /// Whether the text is empty.
  public var isEnd: Bool { cursor?.isEmpty ?? false }
}
