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

  private static func data(_ page: PagingRequirements?) -> Data? {
    guard let page, !page.isEnd else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(Coded(page: page))
  }

  /// A page in an object, because JSON of old has no other roots.
  struct Coded: Codable {
    let page: PagingRequirements
  }
}
