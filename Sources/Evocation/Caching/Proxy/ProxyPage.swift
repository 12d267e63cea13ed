/// What a proxy's remote repository has to be told to give one page.
///
/// It is kept in the ledger, so that a list goes on after a restart, by whatever means it is paged.
public struct ProxyPage: PageRequirements {
  /// How a page is found by other means than by how many models came before it.
  public enum Token: Sendable, Hashable, Codable {
    /// Behind this place in the order.
    case after(Criteria.Cursor)
    /// By a text from the last answer.
    case cursor(String)
    /// By its number.
    case number(Int)
  }

  /// How many models the pages before it had.
  public var position: Int

  /// How it is found; nil by its position.
  public var place: Token?

  /// How many models the list's pages have; nil for as many as the cache's.
  ///
  /// A list goes on with the size that it was begun with, whichever cache asks for the next page.
  public var size: Int?

  /// Makes a page's requirements.
  public init(position: Int = 0, place: Token? = nil, size: Int? = nil) {
    self.position = position
    self.place = place
    self.size = size
  }

  /// The first page.
  public static let first = ProxyPage()

  /// Whether it is an empty cursor.
  public var isEnd: Bool { place == .cursor("") }
}
