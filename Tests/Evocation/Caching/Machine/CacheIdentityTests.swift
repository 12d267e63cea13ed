import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// Which caches are one, and how old they are.
@Suite(.patient) struct CachingIdentityTests {
  private let bench = CacheBench()

  @Test func `Two repositories with one tag share age, refresh and state`() async throws {
    let gate = Gate()
    let source = FakeSource(maxAge: .seconds(60)) { count in
      try await gate.pass()
      return ["v\(count)"]
    }
    let (one, other) = (bench.repository(source), bench.repository(source))
    var watch = Watch(other.observe())
    #expect(await watch.next(2) == ["no", "no/refreshing for the first time"])
    async let result = one.refresh()
    await gate.arrivals(1)
    gate.open()
    #expect(try await result == .successful)
    #expect(await watch.next() == "yes/v1/just finished the first fetch, just refreshed")
    #expect(try await other.refresh() == .skipped(.cacheNotTooOld))
    #expect(source.fetches == 1)
    try await one.update(["mine"])
    #expect(await watch.next() == "yes/mine")
  }

  @Test func `An empty cache exists, and is a state of its own`() async throws {
    let repository = bench.repository(FakeSource { _ in [] })
    var watch = Watch(repository.observe())
    #expect(await watch.next(2) == ["no", "no/refreshing for the first time"])
    #expect(await watch.next() == "yes/nil/just finished the first fetch, just refreshed")
    #expect(try await repository.value(from: .cache) == [])
  }

  @Test func `A cache that was never fetched is stale`() async throws {
    let source = FakeSource(maxAge: .seconds(60))
    #expect(try await bench.repository(source).refresh() == .successful)
    #expect(source.fetches == 1)
  }

  @Test func `A cache exactly as old as it may be is fresh, and stale a moment later`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(60))
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await repository.value(from: .cache) == ["v1"])
    bench.clock.advance(by: .nanoseconds(1))
    await #expect(throws: CacheError.self) { try await repository.value(from: .cache) }
    #expect(try await repository.refresh() == .successful)
  }

  @Test func `Without a maximum age a cache never becomes stale`() async throws {
    let repository = try await bench.fetched(FakeSource())
    bench.clock.advance(by: .seconds(1e9))
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `The time of the last fetch survives a restart`() async throws {
    let suite = "cache-identity-\(UUID().uuidString)"
    defer { UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite) }
    let source = FakeSource(maxAge: .seconds(60))
    func launch() -> CacheRepository<FakeSource> {
      let repository = CacheRepository(
        source, ledger: UserDefaultsFetchLedger(suite: suite), clock: bench.clock)
      repository.requirements = "words"
      return repository
    }
    #expect(try await launch().refresh() == .successful)
    bench.clock.advance(by: .seconds(60))
    #expect(try await launch().refresh() == .skipped(.cacheNotTooOld))
    bench.clock.advance(by: .seconds(1))
    #expect(try await launch().refresh() == .successful)
  }

  @Test func `A fetch is stamped only after it was saved`() async throws {
    let (source, gate) = (FakeSource(), Gate())
    source.onSave { _ in try await gate.pass() }
    let repository = bench.repository(source)
    async let result = repository.refresh()
    await gate.arrivals(1)
    #expect(try await bench.ledger.record(for: "words") == nil)
    gate.open()
    #expect(try await result == .successful)
    #expect(try await bench.ledger.record(for: "words")?.fetchedAt == bench.clock.date)
  }

  @Test func `Data and stamp are written together where the source can`() async throws {
    let ledger = InMemoryFetchLedger()
    let repository = CacheRepository(StampingSource(), ledger: ledger, clock: bench.clock)
    repository.requirements = "words"
    #expect(try await repository.refresh() == .failed(Trouble.saving))
    #expect(try await ledger.record(for: "words") == nil)
  }

  @Test func `Clearing the ages is told to those who observe and those who wait`()
    async throws
  {
    let gate = Gate()
    let source = FakeSource(automaticallyRefresh: false) { count in
      if count > 1 { try await gate.pass() }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    let waiting = Task { try await repository.refresh(force: true) }
    await gate.arrivals(1)
    #expect(await watch.next() == "yes/v1/refreshing")
    try await bench.ledger.clear()
    #expect(await watch.next() == "no")
    #expect(try await waiting.value == .skipped(.cancelled))
  }

  @Test func `Data without a recorded time are stale`() async throws {
    let source = FakeSource(maxAge: .seconds(60), words: ["old"])
    let repository = bench.repository(source)
    #expect(try await repository.value() == ["v1"])
    #expect(source.fetches == 1)
  }

  @Test func `A cache from after the present date is of unknown age, and stale`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false, words: ["old"])
    try await bench.remember(.seconds(10))
    bench.clock.setDate(bench.clock.date.addingTimeInterval(-86_400))
    let repository = bench.repository(source)
    var watch = Watch(repository.observe())
    let state = try #require(await watch.state())
    #expect(state.words == "yes/old/stale")
    #expect(state.cacheAge == nil)
    await #expect(throws: CacheError.cacheTooOld(tag: "words", age: nil)) {
      try await repository.value(from: .cache)
    }
  }

  @Test func `A date that is set while the cache is used does not change its age`()
    async throws
  {
    let repository = try await bench.fetched(FakeSource(maxAge: .seconds(60)))
    bench.clock.setDate(bench.clock.date.addingTimeInterval(-86_400))
    bench.clock.advance(by: .seconds(61))
    #expect(try await repository.refresh() == .successful)
  }

  @Test func `A shown cache that becomes stale is shown so and refreshed then`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    bench.clock.advance(by: .seconds(61))
    #expect(
      await watch.next(3) == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v2/just refreshed"])
  }

  @Test func `Without automatic refreshes a cache that becomes stale is only shown so`()
    async throws
  {
    let source = FakeSource(
      maxAge: .seconds(60), maxUsableAge: .seconds(100), automaticallyRefresh: false)
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    bench.clock.advance(by: .seconds(61))
    #expect(await watch.next() == "yes/v1/stale")
    bench.clock.advance(by: .seconds(40))
    #expect(await watch.next() == "no/stale")
    #expect(source.fetches == 1)
  }

  @Test func `States are equal by content, flags, tag and errors`() {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let state = CacheState<[String]>(
      .cache(["a"], fetchedAt: date), tag: "t", refreshError: Trouble.saving, cacheAge: .zero)
    var other = state
    other.cacheAge = .seconds(1)
    #expect(state == other)
    let changes: [(inout CacheState<[String]>) -> Void] = [
      { $0.state = .noCache }, { $0.state = .cache(nil, fetchedAt: date) },
      { $0.state = .cache(["b"], fetchedAt: date) },
      { $0.state = .cache(["a"], fetchedAt: date.addingTimeInterval(1)) }, { $0.tag = "u" },
      { $0.isRefreshing = true }, { $0.isFirstFetch = true },
      { $0.justFinishedFirstFetch = true }, { $0.justFinishedSuccessfulFirstFetch = true },
      { $0.justFinishedSuccessfulRefresh = true }, { $0.refreshError = Trouble.fetching },
      { $0.refreshError = nil }, { $0.freshness = .fresh }, { $0.isReading = true },
      { $0.next = .loading }, { $0.previous = .error(Trouble.saving) },
    ]
    for change in changes {
      var changed = state
      change(&changed)
      #expect(changed != state)
      #expect(changed == changed)
    }
  }
}

/// A source that saves and stamps in one step, which fails.
private struct StampingSource: CacheDataSource {
  func fetchFreshCache(_ requirements: CacheTag) async throws -> [String] { ["v1"] }
  func saveCache(_ fetched: [String], requirements: CacheTag) async throws {}
  func saveCache(
    _ fetched: [String], requirements: CacheTag, stamp: FetchStamp
  ) async throws {
    throw Trouble.saving
  }
  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}
