import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

/// A registered model, seen as a cache.
@Suite(.patient) struct CachingProxyTests {
  private let clock = ManualClock()
  private let beetle = Car(id: 1, model: "Beetle", year: 1970)
  private let corsa = Car(id: 2, model: "Corsa", year: 2002)
  private let golf = Car(id: 3, model: "Golf", year: 2002)

  private func evocation() -> Evocation { Evocation(configuration: .init(clock: clock)) }

  @Test func `What is fetched is mirrored: what the service no longer has is removed`()
    async throws
  {
    let evocation = evocation()
    let local = InMemoryRepository([beetle, golf])
    evocation.register(for: Car.self).repository(local: local)
      .repository(remote: RepositoryMock { [corsa] _ in [corsa] })
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    cars.requirements = ["year": 2002]
    var watch = Watch(cars.observe())
    #expect(await watch.state()?.state == .noCache)
    #expect(await watch.state()?.isFirstFetch == true)
    let state = try #require(await watch.state())
    #expect(state.cache == [corsa])
    #expect(state.justFinishedSuccessfulFirstFetch)
    // What other criteria need is left alone.
    #expect(try await local.find(Criteria().sorted(by: "id")).value == [beetle, corsa])
    #expect(try await cars.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `What the app puts in is mirrored in local, and the remote is not asked`()
    async throws
  {
    let evocation = evocation()
    let local = InMemoryRepository([beetle, golf])
    let remote = RepositoryMock<Car> { _ in throw Outage(place: .remote) }
    evocation.register(for: Car.self).repository(local: local).repository(remote: remote)
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    cars.requirements = ["year": 2002]
    try await cars.update([corsa])
    #expect(try await local.find(Criteria().sorted(by: "id")).value == [beetle, corsa])
    #expect(try await cars.value(from: .cache) == [corsa])
    #expect(try await cars.refresh() == .skipped(.cacheNotTooOld))
    let tag = cars.source.tag(for: ["year": 2002])
    #expect(try await cars.ledger.record(for: tag)?.fetchedAt == clock.date)
    #expect(remote.calls.isEmpty)
  }

  @Test func `What is fetched can be saved beside what is there`() async throws {
    let evocation = evocation()
    evocation.register(for: Car.self).repository(local: InMemoryRepository([golf]))
      .repository(remote: RepositoryMock { [corsa] _ in [corsa] })
    let cars = evocation.cache(Car.self, options: .init(removesMissing: false))
    cars.requirements = (Criteria.Key("year") == 2002).sorted(by: "id")
    #expect(try await cars.value() == [corsa, golf])
  }

  @Test func `A write of the app during a fetch stays beside what was fetched`() async throws {
    let (gate, evocation) = (Gate(), evocation())
    let remote = RepositoryMock<Car> { [corsa] call in
      guard case .find = call else { return [] }
      try await gate.pass()
      return [corsa]
    }
    evocation.register(for: Car.self).strategy(.localOnly)
      .repository(local: InMemoryRepository<Car>()).repository(remote: remote)
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    let refreshing = Task { try await cars.refresh() }
    await gate.arrivals(1)
    #expect(await evocation.storeOne(golf).error == nil)
    gate.open()
    #expect(try await refreshing.value == .successful)
    #expect(try await cars.value(from: .cache) == [corsa, golf])
    #expect(remote.calls.count == 1)
  }

  @Test func `Models without ids are fetched again while they are written, and saved in the end`()
    async throws
  {
    struct Note: Sendable, Equatable { let text: String }
    let (gate, evocation, saved) = (Gate(), evocation(), Lock<[[Note]]>([]))
    let remote = RepositoryMock<Note> { _ in
      try await gate.pass()
      return [Note(text: "fetched")]
    }
    let local = RepositoryMock<Note> { call in
      if case .storeOrUpdate(let notes) = call { saved.withLock { $0.append(notes) } }
      return []
    }
    evocation.register(for: Note.self).strategy(.localOnly)
      .repository(local: local).repository(remote: remote)
    let notes = evocation.cache(Note.self, options: .init(removesMissing: false))
    notes.requirements = Criteria()
    let refreshing = Task { try await notes.refresh() }
    for number in 1...3 {
      await gate.arrivals(number)
      #expect(await evocation.storeOrUpdate([Note(text: "mine")]).error == nil)
      gate.letOneThrough()
    }
    #expect(try await refreshing.value == .successful)
    #expect(remote.calls.count == 3)
    #expect(saved.withLock { $0.last } == [Note(text: "fetched")])
  }

  @Test func `A model that is not registered fails, with the sentence that says so`()
    async throws
  {
    let cars = evocation().cache(Car.self)
    cars.requirements = Criteria()
    #expect(try await cars.refresh() == .failed(EvocationError.proxyNotFound(model: "Car")))
    await #expect(throws: EvocationError.self) { try await cars.value() }
  }

  @Test func `Without a local repository neither a fetch nor the app's models can be saved`()
    async throws
  {
    let evocation = evocation()
    evocation.register(for: Car.self).repository(remote: RepositoryMock { [corsa] _ in [corsa] })
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    let error = EvocationError.missingRepository(.local, model: "Car")
    #expect(try await cars.refresh() == .failed(error))
    await #expect(throws: error) { try await cars.update([corsa]) }
    await #expect(throws: CacheError.noCache(tag: cars.source.tag(for: Criteria()))) {
      try await cars.value(from: .cache)
    }
  }

  @Test func `Without a remote repository the local one is shown, and nothing is fetched`()
    async throws
  {
    let evocation = evocation()
    evocation.register(for: Car.self).repository(local: InMemoryRepository([golf]))
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    #expect(try await cars.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cars.value() == [golf])
    var watch = Watch(cars.observe())
    #expect(await watch.state()?.cache == [golf])
  }

  @Test func `Caches are declared stale by model, criteria and prefix`() async throws {
    let evocation = evocation()
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: RepositoryMock { _ in [] })
    let old: Criteria = ["year": 1970]
    let new: Criteria = ["year": 2002]
    func isFresh(_ criteria: Criteria) async throws -> Bool {
      let cars = evocation.cache(Car.self)
      cars.requirements = criteria
      return await cars.valueIfAvailable(from: .cache) != nil
    }
    func refresh() async throws {
      for criteria in [old, new] {
        let cars = evocation.cache(Car.self)
        cars.requirements = criteria
        _ = try await cars.refresh()
      }
    }
    try await refresh()
    #expect(try await isFresh(old))
    try await evocation.invalidate(Car.self, criteria: old)
    #expect(try await !isFresh(old))
    #expect(try await isFresh(new))
    try await evocation.invalidate(Car.self, prefix: String(new.tag.dropLast(2)))
    #expect(try await !isFresh(new))
    try await refresh()
    try await evocation.invalidate(Car.self)
    #expect(try await !isFresh(old))
    #expect(try await !isFresh(new))
    try await refresh()
    try await evocation.clearCaches(of: Car.self)
    let cars = evocation.cache(Car.self)
    cars.requirements = old
    await #expect(throws: CacheError.noCache(tag: cars.source.tag(for: old))) {
      try await cars.value(from: .cache)
    }
  }

  @Test func `Clearing removes what no other criteria need`() async throws {
    let evocation = evocation()
    let local = InMemoryRepository([beetle, corsa])
    evocation.register(for: Car.self).repository(local: local)
      .repository(
        remote: RepositoryMock { [beetle, corsa] call in
          guard case .find(let criteria) = call else { return [] }
          return criteria["year"] as? Int == 2002 ? [corsa] : [beetle, corsa]
        })
    let (all, new) = (evocation.cache(Car.self), evocation.cache(Car.self))
    all.requirements = Criteria.Key("year") >= 1970
    new.requirements = ["year": 2002]
    #expect(try await new.refresh() == .successful)
    #expect(try await all.refresh() == .successful)
    var watch = Watch(all.observe())
    #expect(await watch.state()?.cache?.count == 2)
    try await all.clear()
    #expect(await watch.state()?.state == .noCache)
    #expect(try await local.find(Criteria()).value == [corsa])
    #expect(try await new.value(from: .cache) == [corsa])
  }

  @Test func `Types with one printed name have caches of their own`() async throws {
    let evocation = evocation()
    evocation.register(for: Garage.User.self).repository(local: InMemoryRepository<Garage.User>())
      .repository(remote: RepositoryMock { _ in [Garage.User(id: 1)] })
    evocation.register(for: Shop.User.self).repository(local: InMemoryRepository<Shop.User>())
      .repository(remote: RepositoryMock { _ in [Shop.User(id: 2)] })
    let (one, other) = (
      evocation.cache(Garage.User.self), evocation.cache(Shop.User.self)
    )
    one.requirements = Criteria()
    other.requirements = Criteria()
    #expect(try await one.value().map(\.id) == [1])
    #expect(try await other.value().map(\.id) == [2])
    try await evocation.invalidate(Garage.User.self)
    #expect(await one.valueIfAvailable(from: .cache) == nil)
    #expect(await other.valueIfAvailable(from: .cache) != nil)
  }

  @Test func `The find rule's retries and timeout hold for the fetch`() async throws {
    let evocation = evocation()
    let failures = Lock(2)
    let remote = RepositoryMock<Car> { [corsa] _ in
      let fails = failures.withLock { count in
        count -= 1
        return count >= 0
      }
      if fails { throw Outage(place: .remote) }
      return [corsa]
    }
    let retrying = Strategy.Rule(retry: .init(attempts: 3, delay: .zero))
    let proxy = evocation.register(for: Car.self).strategy(Strategy(retrying))
      .repository(local: InMemoryRepository<Car>()).repository(remote: remote)
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    #expect(try await cars.refresh() == .successful)
    #expect(remote.calls.count == 3)
    let gate = Gate()
    proxy.strategy(Strategy(Strategy.Rule(timeout: .seconds(5))))
      .repository(
        remote: RepositoryMock { _ in
          try await gate.pass()
          return []
        })
    let refreshing = Task { try await cars.refresh(force: true) }
    await gate.arrivals(1)
    await clock.sleeps(1)
    clock.advance(by: .seconds(5))
    let late = EvocationError.timedOut(.remote, model: "Car", after: .seconds(5))
    #expect(try await refreshing.value == .failed(late))
  }

  @Test func `What the app stores through Evocation is shown beside a running fetch`()
    async throws
  {
    let (gate, evocation) = (Gate(), evocation())
    evocation.register(for: Car.self).strategy(.localOnly)
      .repository(local: InMemoryRepository<Car>())
      .repository(
        remote: RepositoryMock { [corsa] _ in
          try await gate.pass()
          return [corsa]
        })
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    try await cars.update([golf])
    var watch = Watch(cars.observe(forceRefresh: true))
    #expect(await watch.state()?.cache == [golf])
    #expect(await watch.state()?.isRefreshing == true)
    await gate.arrivals(1)
    #expect(await evocation.storeOne(beetle).error == nil)
    let state = try #require(await watch.state())
    #expect(state.cache?.count == 2)
    #expect(state.isRefreshing)
    gate.open()
    #expect(await watch.state()?.cache == [beetle, corsa])
  }

  @Test func `The size of what is cached counts for the limits`() async throws {
    let ledger = InMemoryFetchLedger()
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: RepositoryMock { [corsa, golf] _ in [corsa, golf] })
    let cars = evocation.cache(Car.self, options: .init(limits: CacheLimits(size: 1_000)))
    cars.requirements = Criteria()
    #expect(try await cars.refresh() == .successful)
    let record = try #require(try await ledger.records(prefix: "").values.first)
    #expect(record.size == cars.source.size(of: [corsa, golf]))
    #expect(record.size > 50)
  }
}

/// Two types with one printed name.
private enum Garage {
  struct User: Codable, Identifiable, Hashable, Sendable { let id: Int }
}

private enum Shop {
  struct User: Codable, Identifiable, Hashable, Sendable { let id: Int }
}
