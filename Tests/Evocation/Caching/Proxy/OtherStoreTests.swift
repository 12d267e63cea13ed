import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationValues

/// A local repository that the app registers in the place of another.
@Suite(.patient) struct OtherStoreTests {
  /// How the local repository is replaced.
  enum Way: CaseIterable, Sendable { case register, repository, restart }

  /// A local repository of an app's own, whose store has a name or none.
  private final class Own: Repository {
    let storeName: String?
    private let models: InMemoryRepository<Car>

    init(_ storeName: String? = nil, _ models: InMemoryRepository<Car> = .init()) {
      self.storeName = storeName
      self.models = models
    }

    func find(_ criteria: Criteria) async throws -> Response<[Car]> {
      try await models.find(criteria)
    }
    func store(_ cars: [Car]) async throws -> Response<[Car]> { try await models.store(cars) }
    func update(_ cars: [Car]) async throws -> Response<[Car]> { try await models.update(cars) }
    func storeOrUpdate(_ cars: [Car]) async throws -> Response<[Car]> {
      try await models.storeOrUpdate(cars)
    }
    func remove(_ cars: [Car]) async throws -> Response<[Car]> { try await models.remove(cars) }
  }

  private let ledger = InMemoryFetchLedger()
  private let clock = ManualClock()

  private func evocation() -> Evocation {
    Evocation(configuration: .init(clock: clock, ledger: ledger))
  }

  private func remote(_ ids: Int...) -> RepositoryMock<Car> {
    RepositoryMock { _ in ids.map { Car(id: $0) } }
  }

  private func register(
    _ evocation: Evocation, _ remote: RepositoryMock<Car>, _ local: some Repository<Car>
  ) {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(.cacheFirst(maxAge: .seconds(3_600)))
  }

  private func replace(
    _ way: Way, _ evocation: Evocation, _ remote: RepositoryMock<Car>, _ local: some Repository<Car>
  ) throws -> Evocation {
    switch way {
    case .register: register(evocation, remote, local)
    case .repository: try evocation.proxy(for: Car.self).repository(local: local)
    case .restart:
      let next = self.evocation()
      register(next, remote, local)
      return next
    }
    return evocation
  }

  @Test(arguments: Way.allCases)
  func `a new local that is empty is not fresh, for rules and for caches`(way: Way) async throws {
    let (first, remote) = (evocation(), remote(1))
    register(first, remote, InMemoryRepository<Car>())
    #expect(await first.find(model: Car.self).origin == .remote)
    #expect(await first.find(model: Car.self).origin == .local)
    for isRule in [true, false] {
      let next = try replace(way, first, remote, InMemoryRepository<Car>())
      let cache = next.cache(
        Car.self, maxAge: .seconds(3_600), options: .init(automaticallyRefresh: false))
      cache.requirements = Criteria()
      await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
      let local = await next.find(model: Car.self, rule: .localOnly)
      #expect(local.data == [] && local.fetchedAt == nil)
      if isRule {
        #expect(await next.find(model: Car.self).origin == .remote)
        #expect(try await cache.value(from: .cache) == [Car(id: 1)])
      } else {
        #expect(try await cache.refresh() == .successful)
        #expect(await next.find(model: Car.self).origin == .local)
      }
    }
  }

  @Test func `the same local that is registered again stays as fresh as it is`() async throws {
    let (evocation, remote, local) = (evocation(), remote(1), InMemoryRepository<Car>())
    register(evocation, remote, local)
    #expect(await evocation.find(model: Car.self).origin == .remote)
    register(evocation, remote, local)
    #expect(await evocation.find(model: Car.self).origin == .local)
    let nameless = Own()
    register(evocation, remote, nameless)
    clock.advance(by: .seconds(1))
    #expect(await evocation.find(model: Car.self).origin == .remote)
    register(evocation, remote, nameless)
    #expect(await evocation.find(model: Car.self).origin == .local)
  }

  @Test(arguments: [Way.register, .repository])
  func `a local without a name is not fresh by what was fetched into another`(
    way: Way
  ) async throws {
    let (evocation, remote) = (evocation(), remote(1))
    register(evocation, remote, Own())
    #expect(await evocation.find(model: Car.self).origin == .remote)
    clock.advance(by: .seconds(1))
    _ = try replace(way, evocation, remote, Own())
    #expect(await evocation.find(model: Car.self).origin == .remote)
    #expect(await evocation.find(model: Car.self).origin == .remote)
    clock.advance(by: .seconds(1))
    #expect(await evocation.find(model: Car.self).origin == .remote)
    #expect(await evocation.find(model: Car.self).origin == .local)
  }

  @Test(arguments: Way.allCases)
  func `a local of an app's own is told by the name of its store`(way: Way) async throws {
    let (evocation, remote, models) = (evocation(), remote(1), InMemoryRepository<Car>())
    register(evocation, remote, Own("ann", models))
    #expect(await evocation.find(model: Car.self).origin == .remote)
    let same = try replace(way, evocation, remote, Own("ann", models))
    #expect(await same.find(model: Car.self).origin == .local)
    let other = try replace(way, same, remote, Own("bea"))
    #expect(await other.find(model: Car.self).origin == .remote)
    #expect(InMemoryRepository<Car>().storeName != InMemoryRepository<Car>().storeName)
  }

  @Test(arguments: [true, false])
  func `a cache that is observed goes over to the next account as a whole`(
    isRefreshed: Bool
  ) async throws {
    let evocation = evocation()
    let (local, next) = (InMemoryRepository<Car>(), InMemoryRepository<Car>())
    register(evocation, remote(1), local)
    let cache = evocation.cache(Car.self)
    cache.requirements = Criteria()
    var watch = Watch(cache.observe())
    while await watch.state()?.cache != [Car(id: 1)] {}
    clock.advance(by: .seconds(5))
    register(evocation, remote(2), next)
    if isRefreshed { #expect(try await cache.refresh(force: true) == .successful) }
    var seen: [[Car]?] = []
    while let state = await watch.state() {
      seen.append(state.cache)
      guard state.cache == [Car(id: 2)], !state.isRefreshing else { continue }
      #expect(state.fetchedAt == clock.date)
      break
    }
    #expect(seen.first == .some(nil), "the last account's rows are not shown again")
    #expect(!seen.contains([Car(id: 1)]))
    #expect(try await local.find(Criteria()).value == [Car(id: 1)])
    #expect(try await next.find(Criteria()).value == [Car(id: 2)])
    #expect(try await cache.value(from: .cache) == [Car(id: 2)])
  }

  @Test func `what is fetched for a cache of one account is not saved for the next`() async throws {
    let (evocation, gate) = (evocation(), Gate())
    let (local, next) = (InMemoryRepository<Car>(), InMemoryRepository<Car>())
    register(
      evocation,
      RepositoryMock { _ in
        try await gate.pass()
        return [Car(id: 1)]
      }, local)
    let cache = evocation.cache(Car.self, options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    let refresh = Task { try await cache.refresh() }
    await gate.arrivals(1)
    register(evocation, remote(2), next)
    gate.open()
    #expect(try await refresh.value == .skipped(.cancelled))
    #expect(try await next.find(Criteria()).value == [])
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.refresh() == .successful)
    #expect(try await next.find(Criteria()).value == [Car(id: 2)])
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test(arguments: [Way.register, .repository])
  func `what waits for a write to be saved is not saved for the next account`(
    way: Way
  ) async throws {
    let (evocation, writing, remote) = (evocation(), Gate(), remote(1))
    let (local, next) = (InMemoryRepository<Car>(), InMemoryRepository<Car>())
    let slow = RepositoryMock<Car> { call in
      guard case .find(let criteria) = call else {
        try await writing.pass()
        return []
      }
      return try await local.find(criteria).value
    }
    register(evocation, remote, slow)
    let cache = evocation.cache(Car.self, options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    let write = Task { await evocation.storeOne(Car(id: 9), rule: .localOnly) }
    await writing.arrivals(1)
    let refresh = Task { try await cache.refresh() }
    let line = try evocation.proxy(for: Car.self).line
    try await eventually("a fetch that waits to be saved") { line.placeCount == 2 }
    _ = try replace(way, evocation, self.remote(2), next)
    writing.open()
    _ = await write.value
    _ = try? await refresh.value
    #expect(try await next.find(Criteria()).value == [])
  }

  @Test func `what is bound to one account's store touches no other, whoever is told first`()
    async throws
  {
    let (evocation, next) = (evocation(), InMemoryRepository([Car(id: 2)]))
    register(evocation, remote(1), InMemoryRepository<Car>())
    let source = evocation.cache(Car.self).source.inPlace
    let fetched = try await source.fetchFreshCache(Criteria())
    register(evocation, remote(2), next)
    await #expect(throws: CancellationError.self) {
      try await source.fetchFreshCache(Criteria())
    }
    await #expect(throws: CancellationError.self) {
      _ = try await source.saveCache(fetched, requirements: Criteria())
    }
    await #expect(throws: CancellationError.self) { try await source.readCache(Criteria()) }
    #expect(try await next.find(Criteria()).value == [Car(id: 2)])
  }

  @Test func `a cache that was observed before its model was registered goes over, too`()
    async throws
  {
    let evocation = evocation()
    let cache = evocation.cache(Car.self)
    cache.requirements = Criteria()
    var watch = Watch(cache.observe())
    #expect(await watch.state()?.cache == nil)
    for id in [1, 2] {
      let local = InMemoryRepository<Car>()
      register(evocation, remote(id), local)
      while await watch.state()?.cache != [Car(id: id)] {}
      #expect(try await local.find(Criteria()).value == [Car(id: id)])
    }
  }

  @Test func `a list goes over to the next account, too`() async throws {
    let evocation = evocation()
    register(evocation, remote(1), InMemoryRepository<Car>())
    let list = evocation.pagingCache(
      Car.self, pageSize: 10, options: .init(automaticallyRefresh: false))
    list.requirements = Criteria()
    #expect(try await list.refresh() == .successful)
    register(evocation, remote(2), InMemoryRepository<Car>())
    await #expect(throws: CacheError.self) { try await list.value(from: .cache) }
    #expect(try await list.refresh() == .successful)
    #expect(try await list.value(from: .cache) == [Car(id: 2)])
  }
}
