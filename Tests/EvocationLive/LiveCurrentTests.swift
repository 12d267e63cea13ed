import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// That "live" means current.
@Suite(.patient) struct LiveCurrentTests {
  private let clock = ManualClock()
  private let cars = InMemoryRepository<Car>()
  private let ledger = InMemoryFetchLedger()
  /// The criteria that the service was asked for.
  private let asked = Lock<[Criteria]>([])
  private let failure = Lock<(any Error)?>(nil)
  /// What the service has.
  private let held = Lock<[Car]>([Car(id: 1, year: 70), Car(id: 2, year: 71)])
  private let chance = Lock(0.0)
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation

  init() {
    let (asked, failure, held, chance) = (asked, failure, held, chance)
    remote = RepositoryMock(sendsLiveChanges: true, announcesConnection: true) { call in
      guard case .find(let criteria) = call else { return [] }
      asked.withLock { $0.append(criteria) }
      if let error = failure.withLock(\.self) { throw error }
      return try await InMemoryRepository(held.withLock { $0 }).find(criteria).value
    }
    evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { chance.withLock(\.self) }, ledger: ledger))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(.remoteFirst)
  }

  private func cache(_ year: Int) -> CacheRepository<ProxyCacheDataSource<Car>> {
    evocation.cache(Car.self, where: ["year": .init(year)])
  }

  private func count(_ year: Int) -> Int {
    asked.withLock { all in
      all.count { $0 == ["year": .init(year)] }
    }
  }

  @Test func `A screen that was closed while changes were missed fetches once when it opens again`()
    async throws
  {
    let (open, closed) = (cache(70), cache(71))
    var states = Watch(open.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    do {
      var others = Watch(closed.observe())
      _ = await others.state { $0.freshness == .fresh && !$0.isRefreshing }
    }
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    #expect(await states.state(where: \.isLive) != nil)
    clock.advance(by: .seconds(60))
    remote.send(RemoteChanges())
    #expect(await states.state { $0.justFinishedSuccessfulRefresh && $0.isLive } != nil)
    #expect(count(71) == 1, "nobody sees it")
    held.withLock { $0[1].model = "changed while it was closed" }

    var reopened = Watch(closed.observe())
    let first = await reopened.state { $0.cache != nil }
    #expect(first?.isLive == false)
    let current = await reopened.state(where: \.isLive)
    #expect(current?.cache?.first?.model == "changed while it was closed")
    #expect(count(71) == 2)
    // It is kept up to date from now on.
    remote.send(RemoteChanges(stored: [Car(id: 3, year: 71)]))
    #expect(await reopened.state { $0.cache?.count == 2 }?.isLive == true)
    #expect(count(71) == 2)
  }

  @Test func `What was fetched before changes were missed is fetched again after a restart too`()
    async throws
  {
    let closed = cache(71)
    #expect(try await closed.refresh() == .successful)
    clock.advance(by: .seconds(60))
    do {
      var states = Watch(cache(70).observe())
      _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
      await remote.liveStreams(1)
      remote.send(RemoteChanges())
      #expect(await states.state(where: \.isLive) != nil)
      remote.send(RemoteChanges(mark: "7"))
      try await eventually("the mark") {
        (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "7"
      }
    }
    let again = Evocation(configuration: .init(clock: clock, chance: { 0 }, ledger: ledger))
    again.live.start()
    again.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(.remoteFirst)
    let before = count(71)
    var states = Watch(again.cache(Car.self, where: ["year": 71]).observe())
    _ = await states.state { $0.cache != nil }
    #expect(await remote.liveStreams(2))
    // Nothing was missed since the mark, but what was fetched before the last gap lacks something.
    remote.send(RemoteChanges(mark: "7"))
    #expect(await states.state(where: \.isLive) != nil)
    #expect(count(71) == before + 1)
  }

  @Test func `What is observed beside caches is fetched once, if it was fetched before the gap`()
    async throws
  {
    let observation = evocation.observe(model: Car.self, criteria: ["year": 70]) { _ in }
    _ = await evocation.find(model: Car.self, criteria: ["year": 71])
    await remote.liveStreams(1)
    clock.advance(by: .seconds(60))
    remote.send(RemoteChanges())
    try await eventually("the fetch") { count(70) == 1 }
    try await eventually("its end") { evocation.live.statuses.first?.isBehind == false }
    held.withLock { $0[1].model = "changed meanwhile" }
    for _ in 1...2 {
      var watch = Watch(evocation.observe(model: Car.self, criteria: ["year": 71]))
      #expect(await watch.state { $0.data?.first?.model == "changed meanwhile" } != nil)
    }
    // Never fetched, so nothing of it was missed.
    var watch = Watch(evocation.observe(model: Car.self, criteria: ["year": 72]))
    _ = await watch.state()
    for _ in 0..<100 { await Task.yield() }
    #expect((count(70), count(71), count(72)) == (1, 2, 0))
    withExtendedLifetime(observation) {}
  }

  @Test func `Nothing is live that could not be fetched`() async throws {
    failure.withLock { $0 = Outage(place: .remote) }
    let observation = evocation.observe(model: Car.self) { _ in }
    var states = Watch(cache(70).observe())
    _ = await states.state { $0.refreshError != nil }
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    #expect(await states.state(where: \.justFinishedFirstFetch)?.isLive == false)
    await clock.sleeps(1)
    failure.withLock { $0 = nil }
    clock.advance(by: .seconds(10))
    #expect(await states.state(where: \.isLive)?.cache?.count == 1)
    withExtendedLifetime(observation) {}
  }

  @Test func `A list that lacks a model that has arrived is fetched, and grows old as before`()
    async throws
  {
    let list = evocation.pagingCache(Car.self, pageSize: 50, maxAge: .seconds(60))
    list.requirements = Criteria()
    var states = Watch(list.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    #expect(await states.state(where: \.isLive)?.cache?.cache.map(\.id) == [1, 2])
    // What the list has is changed in place.
    let before = asked.withLock { $0.count }
    remote.send(RemoteChanges(stored: [Car(id: 2, model: "changed", year: 71)]))
    #expect(await states.state { $0.cache?.cache.last?.model == "changed" }?.isLive == true)
    #expect(asked.withLock { $0.count } == before)

    held.withLock { $0.append(Car(id: 3, year: 72)) }
    remote.send(RemoteChanges(stored: [Car(id: 3, year: 72)]))
    let grown = await states.state { $0.cache?.cache.map(\.id) == [1, 2, 3] && $0.isLive }
    #expect(grown != nil)
    #expect(asked.withLock { $0.count } == before + 1)
    // Only the service knows what a list has, so its age counts.
    clock.advance(by: .seconds(61))
    #expect(await states.state(where: \.justFinishedSuccessfulRefresh) != nil)
    #expect(asked.withLock { $0.count } == before + 2)
  }

  @Test func `A list is fetched only for models that it may have to contain, and not each time`()
    async throws
  {
    let list = evocation.pagingCache(Car.self, pageSize: 50)
    list.requirements = ["year": 70]
    var states = Watch(list.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    #expect(await states.state(where: \.isLive) != nil)
    let before = count(70)
    remote.send(RemoteChanges(stored: [Car(id: 8, year: 80)], mark: "2"))
    try await eventually("the mark") {
      (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "2"
    }
    #expect(count(70) == before)
    for id in 10...40 {
      held.withLock { $0.append(Car(id: id, year: 70)) }
      remote.send(RemoteChanges(stored: [Car(id: id, year: 70)], mark: "\(id)"))
      try await eventually("mark \(id)") {
        (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "\(id)"
      }
    }
    #expect(list.requirements == ["year": 70])
    try await eventually("the fetch") { asked.withLock { $0.count } > before }
    #expect(asked.withLock { $0.count } <= before + 3)
    await advance { list.state?.cache?.cache.count == 32 && list.state?.isLive == true }
  }

  @Test func `A service that is busy is asked for what was missed when it says`() async throws {
    var states = Watch(cache(70).observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    failure.withLock { $0 = Busy() }
    clock.advance(by: .seconds(1))
    let before = count(70)
    remote.send(RemoteChanges())
    #expect(await states.state { $0.refreshError != nil } != nil)
    try await eventually("the end of the fetch") {
      evocation.live.statuses.first?.isBehind == false
    }
    failure.withLock { $0 = nil }
    clock.advance(by: .seconds(119))
    for _ in 0..<100 { await Task.yield() }
    #expect(count(70) == before + 1)
    await advance { count(70) > before + 1 }
    #expect(await states.state(where: \.isLive) != nil)
    #expect(count(70) == before + 2)
  }

  /// Lets time pass until something has happened, whether its pause has begun or is about to.
  private func advance(by step: Duration = .seconds(1), until holds: () -> Bool) async {
    while !holds() {
      clock.advance(by: step)
      await Task.yield()
    }
  }

  private struct Busy: ClassifiedError {
    var failureKind: FailureKind { .transient }
    var retryAfter: Duration? { .seconds(120) }
  }

  @Test(arguments: [0, 0.25, 0.5, 0.99])
  func `Devices that lost their connections together fetch over more than half a minute`(
    chance: Double
  ) async throws {
    var states = Watch(cache(70).observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    #expect(await states.state(where: \.isLive) != nil)
    let before = count(70)
    self.chance.withLock { $0 = chance }
    remote.endLiveChanges(throwing: Outage(place: .remote))
    #expect(await states.state { !$0.isLive } != nil)
    await advance(by: .milliseconds(10)) { remote.liveMarks.count > 1 }
    remote.send(RemoteChanges())
    if chance > 0 {
      try await eventually("the connection") {
        evocation.live.statuses.first.map { $0.phase == .connected && $0.isBehind } == true
      }
      clock.advance(by: .seconds(45 * chance - 1))
      for _ in 0..<100 { await Task.yield() }
      #expect(count(70) == before)
      await advance { count(70) > before }
    }
    #expect(await states.state(where: \.isLive) != nil)
    #expect(count(70) == before + 1)
  }
}
