import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls

/// What happens to observed caches when the app comes and goes.
@Suite(.patient) struct AppPresenceTests {
  private let clock = ManualClock()
  private let activity = ManualActivity(isActive: true)
  private let connectivity = ManualConnectivity()
  private let evocation: Evocation
  /// A remote whose models' year is the number of the fetch.
  private let remote: RepositoryMock<Car>

  init() {
    let count = Lock(0)
    remote = RepositoryMock { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return [Car(id: 1, year: number)]
    }
    evocation = Evocation(
      configuration: .init(
        clock: clock, outbox: .init(connectivity: connectivity), activity: activity))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>())
  }

  private typealias Cars = CacheRepository<ProxyCacheDataSource<Car>>

  private func cars(
    maxAge: Duration? = .seconds(60), refreshEvery: Duration? = nil, automatically: Bool = true
  ) -> Cars {
    let cars = evocation.cache(
      Car.self, maxAge: maxAge,
      options: .init(refreshEvery: refreshEvery, automaticallyRefresh: automatically))
    cars.requirements = Criteria()
    return cars
  }

  private func fetched(_ number: Int) -> (CacheState<[Car]>) -> Bool {
    { $0.cache?.first?.year == number && !$0.isRefreshing }
  }

  /// Waits until the app's activity and connection are followed.
  private func isFollowed() async -> Bool {
    guard await activity.listeners(1) else { return false }
    return await connectivity.listeners(1)
  }

  @Test func `What is observed and stale is fetched when the app becomes active`() async throws {
    let cars = cars(automatically: false)
    try await cars.refresh()
    var watch = Watch(cars.observe())
    _ = await watch.state(where: fetched(1))
    #expect(await isFollowed())
    activity.resignActive()
    clock.advance(by: .seconds(61))
    #expect(remote.calls.count == 1)
    activity.becomeActive()
    #expect(await watch.state(where: fetched(2))?.fetchedAt == clock.date)
    #expect(remote.calls.count == 2)
  }

  @Test func `What is fresh is not fetched, however often the app becomes active`() async throws {
    let fresh = cars(automatically: false)
    try await fresh.refresh()
    var watch = Watch(fresh.observe())
    _ = await watch.state(where: fetched(1))
    #expect(await isFollowed())
    clock.advance(by: .seconds(60))
    for _ in 1...10 {
      activity.resignActive()
      activity.becomeActive()
    }
    // A list beside it, which is stale, shows when all that has been taken note of.
    let stale = evocation.cache(
      Car.self, maxAge: .seconds(-1), options: .init(automaticallyRefresh: false))
    stale.requirements = ["id": 1]
    try await stale.refresh()
    var other = Watch(stale.observe())
    let year = try #require(await other.state { $0.cache != nil }?.cache?.first?.year)
    activity.resignActive()
    activity.becomeActive()
    _ = await other.state { ($0.cache?.first?.year ?? 0) > year && !$0.isRefreshing }
    #expect(try await fresh.refresh() == .skipped(.cacheNotTooOld))
    #expect(remote.questions.filter { $0 == Criteria() }.count == 1)
  }

  @Test func `What nobody observes is not fetched`() async throws {
    let (unobserved, observed) = (cars(), cars(automatically: false))
    unobserved.requirements = ["year": 1]
    try await unobserved.refresh()
    observed.requirements = ["id": 1]
    try await observed.refresh()
    var watch = Watch(observed.observe())
    _ = await watch.state(where: fetched(2))
    #expect(await activity.listeners(1))
    activity.resignActive()
    clock.advance(by: .seconds(61))
    activity.becomeActive()
    _ = await watch.state(where: fetched(3))
    #expect(remote.questions == [["year": 1], ["id": 1], ["id": 1]])
  }

  @Test func `Lists are validated too`() async throws {
    let list = evocation.pagingCache(
      Car.self, pageSize: 5, maxAge: .seconds(60), options: .init(automaticallyRefresh: false))
    list.requirements = Criteria()
    try await list.refresh()
    var watch = Watch(list.observe())
    _ = await watch.state { $0.cache?.cache.first?.year == 1 }
    #expect(await activity.listeners(1))
    activity.resignActive()
    clock.advance(by: .seconds(61))
    activity.becomeActive()
    _ = await watch.state { $0.cache?.cache.first?.year == 2 && !$0.isRefreshing }
    #expect(remote.calls.count == 2)
  }

  @Test func `A service that does not answer keeps no other cache waiting`() async throws {
    let gate = Gate()
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>()).repository(
      remote: RepositoryMock { call in
        guard case .find(let criteria) = call else { return [] }
        let isSlow = criteria == ["id": 1]
        if isSlow { try await gate.pass() }
        return [Car(id: isSlow ? 1 : 2)]
      })
    let both = [cars(automatically: false), cars(automatically: false)]
    both[0].requirements = ["id": 1]
    both[1].requirements = ["id": 2]
    var slow = Watch(both[0].observe())
    var quick = Watch(both[1].observe())
    _ = await (slow.state(), quick.state())
    #expect(await activity.listeners(1))
    activity.resignActive()
    activity.becomeActive()
    #expect(await gate.arrivals(1))
    _ = await quick.state { $0.cache?.count == 1 && !$0.isRefreshing }
    gate.open()
    _ = await slow.state { $0.cache?.count == 1 && !$0.isRefreshing }
    // An optimised build lets go of an array after its last use, and observing ends with a repository.
    withExtendedLifetime(both) {}
  }

  @Test(arguments: [true, false])
  func `Polling pauses while the app is away, and goes on when it is back`(
    isOffline: Bool
  )
    async throws
  {
    let cars = cars(maxAge: nil, refreshEvery: .seconds(10))
    var watch = Watch(cars.observe())
    _ = await watch.state(where: fetched(1))
    #expect(await isFollowed())
    clock.advance(by: .seconds(10))
    _ = await watch.state(where: fetched(2))
    if isOffline { connectivity.goOffline() } else { activity.resignActive() }
    try await eventually("the app to be away") { evocation.presence.isAway }
    let sleeping = remote.calls.count
    for _ in 1...10 { clock.advance(by: .seconds(10)) }
    // By hand it is fetched all the same.
    #expect(try await cars.refresh(force: true) == .successful)
    #expect(remote.calls.count == sleeping + 1)
    _ = await watch.state(where: fetched(3))
    for _ in 1...10 { clock.advance(by: .seconds(10)) }
    if isOffline { connectivity.goOnline() } else { activity.becomeActive() }
    #expect(await watch.state(where: fetched(4))?.fetchedAt == clock.date)
    clock.advance(by: .seconds(10))
    _ = await watch.state(where: fetched(5))
  }

  @Test func `The app is followed once, when something is observed, and let go with it`()
    async throws
  {
    let listening = Listening()
    var evocation: Evocation? = Evocation(configuration: .init(clock: clock, activity: listening))
    weak let gone = evocation
    evocation?.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>())
    var cars = evocation?.cache(Car.self)
    cars?.requirements = Criteria()
    try await cars?.refresh()
    #expect(listening.subscriptions == 0)
    for _ in 1...3 {
      let states = try #require(cars).observe()
      _ = await states.first { $0.cache != nil }
    }
    await listening.began.reach(1)
    #expect(listening.subscriptions == 1)
    (evocation, cars) = (nil, nil)
    await listening.ended.reach(1)
    try await eventually("the released Evocation to go") { gone == nil }
  }
}

/// An activity that counts who listens.
private final class Listening: AppActivity {
  let began = Gate.Counter()
  let ended = Gate.Counter()
  private let listeners = Lock<[AsyncStream<Bool>.Continuation]>([])

  var isActive: Bool? { nil }
  var subscriptions: Int { listeners.withLock { $0.count } }

  func changes() -> AsyncStream<Bool> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    continuation.onTermination = { [ended] _ in ended.increase() }
    listeners.withLock { $0.append(continuation) }
    began.increase()
    return stream
  }
}
