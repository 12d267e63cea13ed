import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// A cache of some of the models, which the service chooses and sorts.
@Suite(.patient) struct PartialCacheTests {
  private let clock = ManualClock()
  private let cars = (1...20).map { Car(id: $0, model: "Golf", year: $0) }
  /// The ids that the service gives, whatever it is asked for.
  private let given = Lock([20, 19, 18])
  private let asked = Lock(0)

  private func app(_ local: some Repository<Car>) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock))
    let remote = RepositoryMock<Car> { [given, asked] _ in
      asked.withLock { $0 += 1 }
      return given.withLock { $0 }.map { Car(id: $0, model: "Golf", year: $0) }
    }
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
    return evocation
  }

  @Test func `it shows the models that the service gave, in the service's order`() async throws {
    let local = InMemoryRepository(cars)
    let cache = app(local).cache(Car.self, where: Criteria().limit(3), maxAge: .seconds(60))
    var watch = Watch(cache.observe())
    var state = try #require(await watch.state())
    while state.cache == nil { state = try #require(await watch.state()) }
    #expect(state.cache?.map(\.id) == [20, 19, 18])
    #expect(try await cache.value(from: .cache).map(\.id) == [20, 19, 18])
    #expect(try await local.count(Criteria()) == 20)

    given.withLock { $0 = [21, 2, 20] }
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.value(from: .cache).map(\.id) == [21, 2, 20])
    #expect(try await local.count(Criteria()) == 21)

    given.withLock { $0 = [2, 20, 21] }
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.value(from: .cache).map(\.id) == [2, 20, 21])
    while state.cache?.map(\.id) != [2, 20, 21] { state = try #require(await watch.state()) }
  }

  @Test func `its models change and go with the device's, and others do not come in`() async throws
  {
    let local = InMemoryRepository(cars)
    let cache = app(local).cache(Car.self, where: Criteria().limit(3), maxAge: .seconds(60))
    #expect(try await cache.refresh() == .successful)
    _ = try await local.update([Car(id: 19, model: "Polo", year: 19)])
    _ = try await local.remove([cars[17]])
    _ = try await local.store([Car(id: 0)])
    #expect(try await cache.value(from: .cache).map(\.model) == ["Golf", "Polo"])
    #expect(try await cache.value(from: .cache).map(\.id) == [20, 19])
  }

  @Test func `to clear it removes what it shows, and nothing else`() async throws {
    let local = InMemoryRepository(cars)
    let cache = app(local).cache(Car.self, where: Criteria().limit(3), maxAge: .seconds(60))
    #expect(try await cache.refresh() == .successful)
    try await cache.clear()
    #expect(try await local.find(Criteria()).value.map(\.id) == Array(1...17))
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
  }

  @Test func `a cache of a page behind others shows that page, and stays so`() async throws {
    let local = InMemoryRepository<Car>()
    let page = Criteria().limit(3).offset(3)
    let cache = app(local).cache(Car.self, where: page, maxAge: .seconds(60))
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cache.value(from: .cache).map(\.id) == [20, 19, 18])
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `what the app puts in is shown as it was put in`() async throws {
    let local = InMemoryRepository(cars)
    let cache = app(local).cache(Car.self, where: Criteria().limit(2), maxAge: .seconds(60))
    try await cache.update([cars[4], cars[2]])
    #expect(try await cache.value(from: .cache).map(\.id) == [5, 3])
    #expect(try await local.count(Criteria()) == 20)
  }

  @Test func `a list that is no longer there counts as never fetched`() async throws {
    let (local, ledger) = (InMemoryRepository(cars), InMemoryFetchLedger())
    func cache() -> CacheRepository<ProxyCacheDataSource<Car>> {
      let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
      let remote = RepositoryMock<Car> { [given] _ in given.withLock { $0 }.map { Car(id: $0) } }
      evocation.register(for: Car.self).repository(remote: remote)
        .repository(local: Nameless(base: local))
      return evocation.cache(Car.self, where: Criteria().limit(3), maxAge: .seconds(60))
    }
    #expect(try await cache().refresh() == .successful)
    #expect(try await cache().refresh() == .successful)
  }

  @Test func `a find of the same models does not make it fresh`() async throws {
    let evocation = app(InMemoryRepository(cars))
    let some = Criteria().limit(3)
    #expect(await evocation.find(model: Car.self, criteria: some).error == nil)
    let cache = evocation.cache(Car.self, where: some, maxAge: .seconds(60))
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.value(from: .cache).map(\.id) == [20, 19, 18])
  }
}

/// A local repository of an app's own, whose lists are in memory alone, and whose store has no name.
private struct Nameless: ForwardingRepository {
  let base: InMemoryRepository<Car>
}
