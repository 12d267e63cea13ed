import Evocation

/// Three pages of one car each.
final class CarListSource: PagingCacheDataSource {
  private let cars = Lock<[Car]>([])

  func firstPage(_ requirements: CacheTag) -> PageNumber { 1 }

  func fetchFreshCache(
    _ requirements: CacheTag, pagingRequirements page: PageNumber
  ) async throws -> FetchedPage<[Car], PageNumber> {
    let car = Car(id: page.number, name: "datsun \(page.number)", origin: "Japan", year: 1980)
    return FetchedPage([car], next: page.number < 3 ? page.next : nil)
  }

  func saveCache(
    _ fetched: [Car], requirements: CacheTag, pagingRequirements: PageNumber, place: PagePosition
  ) async throws {
    cars.withLock { $0 = place == .replacing ? fetched : $0 + fetched }
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[Car], any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(cars.withLock { $0 })
      continuation.finish()
    }
  }
}
