/// What a service has to be told to give one page.
///
/// Whatever a service pages by: a number, a cursor, the last id, the first and the last id. It is
/// kept beside the list, so that the list can be continued after a restart.
///
/// ```swift
/// struct AfterRepo: PageRequirements {
///   var lastID: Int?
/// }
/// ```
///
/// ``PageNumber`` and ``PageCursor`` are ready made.
public protocol PageRequirements: Sendable, Hashable, Codable {
  /// Whether these stand for no page at all, as an empty cursor does.
  var isEnd: Bool { get }
}

extension PageRequirements {
  /// False: there is always a page to ask for.
  public var isEnd: Bool { false }
}
