/// What a service needs to give one page.
///
/// That may be a number, a cursor, the last id, or the first and the last id. It is kept beside the
/// list, so that the list can be continued after a restart.
///
/// ```swift
/// struct AfterRepo: PageRequirements {
///   var lastID: Int?
/// }
/// ```
///
/// ``PageNumber`` and ``PageCursor`` are ready made.
public protocol PageRequirements: Sendable, Hashable, Codable {
  /// Whether these stand for no page, as an empty cursor does.
  var isEnd: Bool { get }
}

extension PageRequirements {
  /// False: there is always a page to ask for.
  public var isEnd: Bool { false }
}

/// The number of a page, for services that count them.
///
/// ```swift
/// let second = PageNumber(1).next
/// ```
public struct PageNumber: PageRequirements, ExpressibleByIntegerLiteral {
  /// The number; whether the first page is 0 or 1 depends on the service.
  public var number: Int

  /// Makes a page's number.
  public init(_ number: Int) {
    self.number = number
  }

  /// Makes a page's number from a literal.
  public init(integerLiteral number: Int) {
    self.number = number
  }

  /// The page after this one; the greatest number there is stays as it is.
  public var next: PageNumber { PageNumber(number.addingClamped(1)) }

  /// The page before this one; the least number there is stays as it is.
  public var previous: PageNumber { PageNumber(number.subtractingClamped(1)) }
}

/// A text by which a service finds a page: a cursor from its last answer, an id, a link.
///
/// An empty text stands for no page; ``start``, which has no text, is the first.
public struct PageCursor: PageRequirements {
  /// The text; nil for the first page.
  public var cursor: String?

  /// Makes a cursor; nil and an empty text stand for no page.
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
