import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Criteria that were never fetched, over models that the local store has of other criteria.
@Suite(.patient) struct UnfetchedCacheTests {
  private let beetle = Car(id: 1, model: "Beetle", year: 1970)
  private let corsa = Car(id: 2, model: "Corsa", year: 2002)
  private let golf = Car(id: 3, model: "Golf", year: 2002)
  private let isOnline = Lock(false)
  private let evocation = Evocation(configuration: .init(clock: ManualClock()))

  private func cache(
    _ held: [Car]
  ) -> CacheRepository<ProxyCacheDataSource<Car>> {
    evocation.register(for: Car.self).repository(local: InMemoryRepository(held))
      .repository(
        remote: RepositoryMock { [isOnline, golf] _ in
          guard isOnline.withLock({ $0 }) else { throw Outage(place: .remote) }
          return [golf]
        })
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    let recent: Criteria = ["year": 2002]
    cars.requirements = recent.sorted(by: "id")
    return cars
  }

  @Test func `offline, they show what local has, and say that they were never fetched`()
    async throws
  {
    let cars = cache([beetle, golf])
    var watch = Watch(cars.observe())
    let offline = try #require(await watch.state { $0.local != nil })
    #expect(offline.local == [golf] && offline.cache == nil && offline.phase == .never)
    #expect(offline.refreshError as? Outage == Outage(place: .remote))
    #expect(offline.freshness == nil && offline.fetchedAt == nil && !offline.isReading)
    guard case .error(_, let content) = offline.loadingState else {
      Issue.record("It is no error: \(offline.loadingState).")
      return
    }
    #expect(content == [golf])
    _ = await evocation.storeOne(corsa, rule: .localOnly)
    #expect(await watch.state { $0.local?.count == 2 }?.local == [corsa, golf])
    isOnline.withLock { $0 = true }
    // It may join the fetch that began with the change of the local store, and still failed.
    _ = try await cars.refresh()
    if cars.state?.cache == nil { #expect(try await cars.refresh() == .successful) }
    let fetched = try #require(await watch.state { $0.cache != nil })
    #expect(fetched.cache == [golf] && fetched.local == nil)
  }

  @Test func `where local has nothing that matches, there is the error alone`() async throws {
    let cars = cache([beetle])
    var watch = Watch(cars.observe())
    let offline = try #require(await watch.state { $0.refreshError != nil })
    #expect(offline.local == nil && offline.phase == .never)
    _ = await evocation.storeOne(golf, rule: .localOnly)
    #expect(await watch.state { $0.local != nil }?.local == [golf])
  }

  @Test func `states that are converted and combined have what local has`() {
    var one = CacheState<[Car]>(.noCache)
    one.local = [golf]
    #expect(one.convert { $0?.count }.local == 1)
    let other = CacheState<[Car]>(.cache([corsa], fetchedAt: .distantPast))
    #expect(one.combine(other) { $0 + $1 }.local == [golf, corsa])
    #expect(one.combine(CacheState<[Car]>(.noCache)) { $0 + $1 }.local == nil)
    #expect(one != CacheState<[Car]>(.noCache))
  }
}
