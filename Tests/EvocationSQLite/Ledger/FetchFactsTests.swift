import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// What the record of a fetch says to each of its readers, in memory and in a file.
@Suite(.patient) struct FetchFactsTests {
  struct Part: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var kind = 1
  }

  enum Store: CaseIterable { case memory, file }

  /// A service whose answers wait at a gate, if the test says so.
  private final class Bench: Sendable {
    let clock = ManualClock()
    let served = Lock<[Int]>([1, 2])
    let gate = Gate()
    let isHeld = Lock(false)
    let requests = Lock(0)
    let evocation: Evocation
    private let folder: TemporaryFolder

    init(_ store: Store, _ strategy: Strategy = .cacheFirst(maxAge: .hours(1))) throws {
      folder = try TemporaryFolder()
      evocation = Evocation(
        configuration: .init(clock: clock, ledger: InMemoryFetchLedger()))
      try start(evocation, store, strategy)
    }

    func start(_ evocation: Evocation, _ store: Store, _ strategy: Strategy) throws {
      let remote = RepositoryMock<Part> { [served, gate, isHeld, requests] call in
        requests.withLock { $0 += 1 }
        let answer = served.withLock { $0.map { Part(id: $0) } }
        if isHeld.withLock({ $0 }) { try await gate.pass() }
        return answer
      }
      switch store {
      case .memory:
        try evocation.register(
          Part.self, remote: remote, local: InMemoryRepository<Part>(), strategy: strategy)
      case .file:
        try evocation.register(
          Part.self, remote: remote,
          local: SQLiteRepository<Part>(SQLiteDatabase(path: folder.path())), strategy: strategy)
      }
    }

    var asked: Int { requests.withLock { $0 } }

    func find(rule: Strategy.Rule? = nil) async -> (ids: [Int], origin: Evocation.RepositoryType?) {
      let result =
        if let rule { await evocation.find(model: Part.self, rule: rule) } else {
          await evocation.find(model: Part.self)
        }
      return (result.data?.map(\.id).sorted() ?? [], result.origin)
    }

    /// Lets a fetch wait at the service, runs the body, and lets it go on.
    func during(
      _ fetch: @escaping @Sendable () async -> Void, _ body: () async throws -> Void
    )
      async throws
    {
      isHeld.withLock { $0 = true }
      let task = Task { await fetch() }
      await gate.arrivals(1)
      try await body()
      isHeld.withLock { $0 = false }
      gate.open()
      await task.value
    }
  }

  enum Before: CaseIterable { case never, fetched, stale, staleAndNeverFetched }

  @Test(arguments: Store.allCases, Before.allCases)
  func `What was on its way when the data were declared stale is asked for again`(
    _ store: Store, _ before: Before
  ) async throws {
    let bench = try Bench(store)
    if before == .fetched || before == .stale { _ = await bench.find() }
    if before == .stale || before == .staleAndNeverFetched {
      try await bench.evocation.invalidate(Part.self)
    }
    bench.clock.advance(by: .seconds(3_601))
    try await bench.during {
      _ = await bench.find()
    } _: {
      bench.served.withLock { $0 = [3] }
      try await bench.evocation.invalidate(Part.self)
    }
    #expect(await bench.find() == ([3], .remote))
    #expect(await bench.find() == ([3], .local))
  }

  @Test(arguments: Store.allCases)
  func `An invalidation of other criteria leaves what is on its way fresh`(
    _ store: Store
  )
    async throws
  {
    let bench = try Bench(store)
    try await bench.during {
      _ = await bench.find()
    } _: {
      for _ in 0..<200 {
        try await bench.evocation.invalidate(Part.self, criteria: ["kind": 2])
      }
    }
    // So many invalidations are not remembered one by one.
    #expect(await bench.find().origin == .remote)
    try await bench.evocation.invalidate(Part.self, criteria: ["kind": 2])
    #expect(await bench.find().origin == .local)
  }

  @Test(arguments: Store.allCases)
  func `An invalidation by another instance during a fetch counts too`(
    _ store: Store
  )
    async throws
  {
    guard store == .file else { return }
    let bench = try Bench(store)
    _ = await bench.find()
    let other = Evocation(configuration: .init(clock: bench.clock))
    try bench.start(other, store, .cacheFirst(maxAge: .hours(1)))
    try await other.invalidate(Part.self)
    try await bench.during {
      _ = await bench.find()
    } _: {
      try await other.invalidate(Part.self)
    }
    #expect(await bench.find().origin == .remote)
  }

  enum Weaker: CaseIterable { case prefetch, upsert, cache }

  @Test(arguments: Store.allCases, Weaker.allCases)
  func `A rule that mirrors and a cache count from the last fetch that mirrored`(
    _ store: Store, _ weaker: Weaker
  ) async throws {
    try await count(store, weaker, isCache: true)
    try await count(store, weaker, isCache: false)
  }

  private func count(_ store: Store, _ weaker: Weaker, isCache: Bool) async throws {
    let bench = try Bench(store)
    #expect(await bench.find() == ([1, 2], .remote))
    let mirrored = bench.clock.date
    bench.clock.advance(by: .seconds(3_000))
    bench.served.withLock { $0 = [1] }
    let evocation = bench.evocation
    switch weaker {
    case .prefetch: _ = await evocation.prefetch(Part.self)
    case .upsert:
      _ = await bench.find(rule: .init(target: .remote, fallback: .local, synchronize: .upsert))
    case .cache:
      let cache = evocation.cache(Part.self, options: .init(removesMissing: false))
      #expect(try await cache.refresh(force: true) == .successful)
    }
    let result = await evocation.find(model: Part.self)
    #expect(result.origin == .local)
    #expect(result.fetchedAt == mirrored)
    bench.clock.advance(by: .seconds(601))
    guard isCache else {
      #expect(await bench.find() == ([1], .remote))
      return
    }
    let cache = evocation.cache(Part.self, maxAge: .hours(1))
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.value().map(\.id) == [1])
  }

  @Test(arguments: Store.allCases)
  func `A prefetch into an empty store is as good as a fetch that mirrors`(
    _ store: Store
  )
    async throws
  {
    let bench = try Bench(store)
    _ = await bench.evocation.prefetch(Part.self)
    #expect(await bench.find() == ([1, 2], .local))
    #expect(bench.asked == 1)
    // Another one says nothing of what the server removed, and takes nothing away from the first.
    bench.clock.advance(by: .seconds(3_601))
    _ = await bench.evocation.prefetch(Part.self, maxAge: .hours(2))
    #expect(bench.asked == 1)
    _ = await bench.evocation.prefetch(Part.self)
    #expect(await bench.find().origin == .remote)
  }

  @Test(arguments: Store.allCases)
  func `Caches of one query that mirror and do not are each as fresh as they need`(
    _ store: Store
  ) async throws {
    let bench = try Bench(store)
    let adding = bench.evocation.cache(
      Part.self, maxAge: .hours(1), options: .init(removesMissing: false))
    #expect(try await adding.refresh() == .successful)
    #expect(try await adding.refresh() == .skipped(.cacheNotTooOld))
    let mirroring = bench.evocation.cache(Part.self, maxAge: .hours(1))
    var states = mirroring.observe().makeAsyncIterator()
    var others = adding.observe().makeAsyncIterator()
    _ = await others.next()
    while let state = await states.next(), state.isRefreshing || state.freshness != .fresh {}
    #expect(bench.asked == 2)
    #expect(adding.state?.freshness == .fresh)
  }

  @Test(arguments: Store.allCases)
  func `A cache and a find are as old as their request, and not as its answer`(
    _ store: Store
  )
    async throws
  {
    let bench = try Bench(store)
    let cache = bench.evocation.cache(Part.self, maxAge: .seconds(2))
    let begun = bench.clock.date
    try await bench.during {
      _ = try? await cache.refresh()
    } _: {
      bench.clock.advance(by: .seconds(1.7))
    }
    #expect(cache.state?.cacheAge == .seconds(1.7))
    #expect(cache.state?.fetchedAt == begun)
    bench.clock.advance(by: .seconds(0.4))
    #expect(cache.state?.freshness == .stale)
    let second = try Bench(store)
    let date = second.clock.date
    let found = Lock<Date?>(nil)
    try await second.during {
      let result = await second.evocation.find(model: Part.self)
      found.withLock { $0 = result.fetchedAt }
    } _: {
      second.clock.advance(by: .seconds(1.5))
    }
    #expect(found.withLock { $0 } == date)
  }

  @Test(arguments: Store.allCases)
  func `The first fetch ends for a screen as soon as there is content`(
    _ store: Store
  )
    async throws
  {
    let bench = try Bench(store)
    let cache = bench.evocation.cache(Part.self)
    var states = cache.observe().makeAsyncIterator()
    bench.isHeld.withLock { $0 = true }
    while let state = await states.next(), !state.isFirstFetch {}
    await bench.gate.arrivals(1)
    bench.isHeld.withLock { $0 = false }
    _ = await bench.evocation.find(
      model: Part.self, rule: .init(synchronize: .mirror, joins: false))
    while let state = await states.next() {
      if state.cache?.count == 2 {
        #expect(!state.isFirstFetch)
        break
      }
    }
    bench.gate.open()
    while let state = await states.next() {
      #expect(!state.justFinishedFirstFetch)
      if state.justFinishedSuccessfulRefresh { break }
    }
  }

  @Test(arguments: Store.allCases)
  func `A window of the models is never answered by a part of the part`(
    _ store: Store
  )
    async throws
  {
    let bench = try Bench(store)
    bench.served.withLock { $0 = Array(11...20) }
    let page = Criteria().limit(10).offset(10)
    for _ in 1...2 {
      let result = await bench.evocation.find(model: Part.self, criteria: page)
      #expect(result.data?.map(\.id) == Array(11...20))
      #expect(result.origin == .remote)
    }
    let cache = bench.evocation.cache(Part.self, where: page, maxAge: .hours(1))
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.value().map(\.id) == Array(11...20))
  }

  enum Service: CaseIterable { case value, object, forwarding }
  enum Registering: CaseIterable { case call, chain, chainFromLocal }

  /// A service that is a value, which has nothing that tells it from another one.
  private struct Listed: Repository, SharedService {
    let base: RepositoryMock<Part>
    let service = "https://parts.example"

    func find(_ criteria: Criteria) async throws -> Response<[Part]> {
      try await base.find(criteria)
    }

    func store(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
    func update(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
    func storeOrUpdate(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
    func remove(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
  }

  private struct Forwarded: ForwardingRepository {
    let base: RepositoryMock<Part>
  }

  @Test(arguments: Service.allCases, Registering.allCases)
  func `What was fetched is fresh after a restart, whatever the service is and however registered`(
    _ service: Service, _ registering: Registering
  )
    async throws
  {
    let (folder, clock) = (try TemporaryFolder(), ManualClock())
    let mock = RepositoryMock<Part> { _ in [Part(id: 1)] }
    let remote: any Repository<Part> =
      switch service {
      case .value: Listed(base: mock)
      case .object: mock
      case .forwarding: Forwarded(base: mock)
      }
    for start in 1...3 {
      let evocation = Evocation(configuration: .init(clock: clock))
      let local = try SQLiteRepository<Part>(SQLiteDatabase(path: folder.path()))
      let strategy = Strategy.cacheFirst(maxAge: .hours(1))
      switch registering {
      case .call:
        try evocation.register(Part.self, remote: remote, local: local, strategy: strategy)
      case .chain:
        evocation.register(for: Part.self).repository(remote: remote).repository(local: local)
          .strategy(strategy)
      case .chainFromLocal:
        evocation.register(for: Part.self).strategy(strategy).repository(local: local)
          .repository(remote: remote)
      }
      let result = await evocation.find(model: Part.self)
      #expect(result.data?.map(\.id) == [1])
      #expect(result.origin == (start == 1 ? .remote : .local), "start \(start)")
      let cache = evocation.cache(Part.self, maxAge: .hours(1))
      #expect(try await cache.value(from: .cache).map(\.id) == [1])
      clock.advance(by: .seconds(1))
    }
  }
}
