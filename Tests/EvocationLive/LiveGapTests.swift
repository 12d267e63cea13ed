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

/// What a connection may have missed, for a service that says when it is connected.
@Suite(.patient) struct LiveGapTests {
  private let clock = ManualClock()
  private let cars = InMemoryRepository<Car>()
  private let ledger = InMemoryFetchLedger()
  private let finds = Lock(0)
  private let isBroken = Lock(false)
  /// What the service has.
  private let held = Lock<[Car]>([])
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation

  init() {
    let (finds, isBroken) = (finds, isBroken)
    let held = held
    remote = RepositoryMock(sendsLiveChanges: true, announcesConnection: true) { call in
      finds.withLock { $0 += 1 }
      if isBroken.withLock({ $0 }) { throw Outage(place: .remote) }
      guard case .find(let criteria) = call else { return [] }
      return try await InMemoryRepository(held.withLock { $0 }).find(criteria).value
    }
    evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }, ledger: ledger))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(.remoteFirst)
  }

  private func cache(
    maxAge: Duration? = .seconds(60), refreshEvery: Duration? = nil
  ) -> CacheRepository<ProxyCacheDataSource<Car>> {
    let cache = evocation.cache(
      Car.self, maxAge: maxAge, options: .init(refreshEvery: refreshEvery))
    cache.requirements = Criteria()
    return cache
  }

  private var count: Int { finds.withLock { $0 } }

  @Test func `A state is live from the first element on, and until the connection ends`()
    async throws
  {
    let cache = cache()
    var states = Watch(cache.observe())
    #expect(await states.state { $0.freshness == .fresh }?.isLive == false)
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    #expect(await states.state(where: \.isLive) != nil)
    remote.endLiveChanges()
    #expect(await states.state { !$0.isLive } != nil)
  }

  @Test func `An element with a mark alone says that nothing was missed`() async throws {
    let cache = cache()
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    remote.send(RemoteChanges(mark: "1"))
    remote.send(RemoteChanges(stored: [Car(id: 1)], mark: "2"))
    #expect(await states.state { $0.cache?.count == 1 } != nil)
    #expect(count == 1)
  }

  @Test func `An element without anything says that something was missed, also later`() async throws
  {
    let cache = cache()
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    for number in 2...3 {
      remote.send(RemoteChanges())
      #expect(await states.state(where: \.justFinishedSuccessfulRefresh)?.isLive == true)
      #expect(count == number)
    }
  }

  @Test func `No mark is kept while something is missing`() async throws {
    isBroken.withLock { $0 = true }
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    remote.send(RemoteChanges(stored: [Car(id: 1)], mark: "5"))
    #expect(await watch.state { $0.data?.count == 1 } != nil)
    #expect(await clock.sleeps(1))
    remote.endLiveChanges()
    #expect(await clock.sleeps(2))
    clock.advance(by: .seconds(1))
    #expect(await remote.liveStreams(2))
    #expect(remote.liveMarks == [nil, nil])
    isBroken.withLock { $0 = false }
    held.withLock { $0 = [Car(id: 1), Car(id: 2)] }
    remote.send(RemoteChanges())
    remote.send(RemoteChanges(stored: [Car(id: 2)], mark: "6"))
    #expect(await watch.state { $0.data?.contains { $0.id == 2 } == true } != nil)
    try await eventually("the mark") {
      (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "6"
    }
  }

  @Test func `What could not be fetched is fetched again, while the connection stands`()
    async throws
  {
    isBroken.withLock { $0 = true }
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    for (pause, number) in [(1, 1), (2, 2), (4, 3)] {
      #expect(await clock.sleeps(number))
      #expect(count == number)
      clock.advance(by: .seconds(pause))
    }
    try await eventually("the fourth fetch") { count == 4 }
    #expect(remote.liveMarks.count == 1)
  }

  @Test func `What is kept up to date does not grow old, and is not polled`() async throws {
    let cache = cache(refreshEvery: .seconds(10))
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    remote.send(RemoteChanges())
    #expect(await states.state { $0.justFinishedSuccessfulRefresh && $0.isLive } != nil)
    let before = count
    for _ in 1...20 { clock.advance(by: .seconds(10)) }
    remote.send(RemoteChanges(stored: [Car(id: 1)]))
    let state = await states.state { $0.cache?.count == 1 }
    #expect(state?.freshness == .fresh)
    #expect(state?.cacheAge == .zero)
    #expect(count == before)
    // From the end of the connection on it ages again.
    remote.endLiveChanges()
    let ended = await states.state { !$0.isLive }
    #expect(ended?.freshness == .fresh)
    clock.advance(by: .seconds(10))
    #expect(await states.state(where: \.justFinishedSuccessfulRefresh) != nil)
    #expect(count == before + 1)
  }

  @Test(arguments: [1, 2])
  func `A list that a refresh would shorten stays as long as it is fresh`(pages: Int) async throws {
    held.withLock { $0 = (1...3).map { Car(id: $0) } }
    let list = evocation.pagingCache(Car.self, pageSize: 1, maxAge: .seconds(60))
    list.requirements = Criteria()
    var states = Watch(list.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    for _ in 1..<pages { #expect(await list.goToNextPage() == .successful) }
    await remote.liveStreams(1)
    let before = count
    remote.send(RemoteChanges())
    #expect(await states.state(where: \.isLive) != nil)
    remote.send(RemoteChanges(mark: "1"))
    try await eventually("the mark") {
      (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "1"
    }
    #expect(count == (pages == 1 ? before + 1 : before))
    #expect(list.state?.cache?.count == pages)
  }
}
