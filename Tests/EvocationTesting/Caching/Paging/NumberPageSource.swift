import Evocation
import EvocationTesting

/// A source that keeps lists of numbers in memory by tag; each page has two, up to ten.
final class NumberPageSource: PagingCacheDataSource, Sendable {
  typealias Cache = [Int]
  typealias Content = [Int]
  typealias Requirements = CacheTag

  let maxAge: Duration?
  let automaticallyRefresh: Bool
  private let lists = Lock<[String: [Int]]>([:])
  private let fetches = Lock<[PageNumber]>([])
  private let fetching: @Sendable (PageNumber) async throws -> Void

  /// Makes a source; the closure is run before a page is given.
  init(
    maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    fetching: @escaping @Sendable (PageNumber) async throws -> Void = { _ in }
  ) {
    self.maxAge = maxAge
    self.automaticallyRefresh = automaticallyRefresh
    self.fetching = fetching
  }

  /// The pages that were asked for.
  var fetched: [PageNumber] { fetches.withLock { $0 } }

  func firstPage(_ requirements: CacheTag) -> PageNumber { 3 }

  func fetchFreshCache(
    _ requirements: CacheTag, pagingRequirements page: PageNumber
  ) async throws -> FetchedPage<[Int], PageNumber> {
    fetches.withLock { $0.append(page) }
    try await fetching(page)
    let last = page.number * 2
    return FetchedPage(
      [last - 1, last], next: page.number < 5 ? page.next : nil,
      previous: page.number > 1 ? page.previous : nil)
  }

  func saveCache(
    _ fetched: [Int], requirements: CacheTag, pagingRequirements: PageNumber, place: PagePosition
  ) async throws {
    lists.withLock { lists in
      let list = place == .replacing ? [] : lists[requirements.tag] ?? []
      lists[requirements.tag] = place == .before ? fetched + list : list + fetched
    }
  }

  func deleteCache(_ requirements: CacheTag) async throws {
    lists.withLock { $0[requirements.tag] = nil }
  }

  func readCache(_ requirements: CacheTag) async throws -> [Int]? {
    lists.withLock { $0[requirements.tag] }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[Int], any Error> {
    AsyncThrowingStream { continuation in
      if let list = lists.withLock({ $0[requirements.tag] }) { continuation.yield(list) }
      continuation.finish()
    }
  }
}
