internal import Foundation

/// What fetching one page gave: its content, and the pages on either side.
public struct FetchedPage<Content: Sendable, PagingRequirements: PageRequirements>: Sendable {
  /// What is to be saved.
  public var content: Content

  /// What the next page is asked for with; nil, or an empty cursor, when there is none.
  public var next: PagingRequirements?

  /// What the previous page is asked for with; nil, or an empty cursor, when there is none.
  public var previous: PagingRequirements?

  /// Makes a page; without a next and a previous page by default.
  public init(
    _ content: Content, next: PagingRequirements? = nil, previous: PagingRequirements? = nil
  ) {
    self.content = content
    self.next = next
    self.previous = previous
  }
}

/// What a fetched page says of the pages on either side, whatever its types.
protocol PageNeighbours {
  var nextData: Data? { get }
  var previousData: Data? { get }
}

extension FetchedPage: PageNeighbours {
  var nextData: Data? { Self.data(next) }
  var previousData: Data? { Self.data(previous) }

  /// A page's requirements as they stand in a ``PageRecord``; nil for none.
  static func data(_ page: PagingRequirements?) -> Data? {
    guard let page, !page.isEnd else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(Coded(page: page))
  }

  /// The requirements of such data.
  ///
  /// - Throws: `DecodingError` for those that another kind of paging made.
  static func page(_ data: Data) throws -> PagingRequirements {
    try JSONDecoder().decode(Coded.self, from: data).page
  }

  /// A page in an object, because JSON of old has no other roots.
  private struct Coded: Codable {
    let page: PagingRequirements
  }
}
