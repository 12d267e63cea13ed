internal import Foundation

extension CacheSeat {
  /// What is to be remembered of the pages beside a first page, or an update; nil where
  /// the source has none.
  func pages(_ fetched: Source.FetchResult?) -> PageRecord? {
    guard isPaged else { return nil }
    let page = fetched as? any PageNeighbours
    return PageRecord(next: page?.nextData, previous: page?.previousData)
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
