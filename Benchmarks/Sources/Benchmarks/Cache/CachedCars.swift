import Evocation

/// An app whose cars were fetched, and are read from memory.
final class CachedCars: Sendable {
  let evocation = Evocation()
  let local = InMemoryRepository<Car>()

  /// Fetches a number of cars, each with a different year.
  init(_ count: Int = 1) async throws {
    let cars = (0..<count).map { Car(id: $0, year: $0) }
    evocation.register(for: Car.self).repository(remote: PromptRepository(held: cars))
      .repository(local: local)
    _ = try await cache().refresh()
  }

  /// Returns the cache of all cars.
  func cache() -> CacheRepository<ProxyCacheDataSource<Car>> {
    let cache = evocation.cache(Car.self, maxAge: .seconds(86_400))
    cache.requirements = Criteria()
    return cache
  }
}
