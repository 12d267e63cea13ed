/// A text by which a service finds a page: a cursor from its last answer, an id, a link.
///
/// An empty one stands for no page at all, apart from ``start``, which is the first.
public struct PageCursor: PageRequirements {
  /// The text; nil for the first page.
  public var cursor: String?

  /// Makes a cursor; nil or empty where the service gave none.
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
