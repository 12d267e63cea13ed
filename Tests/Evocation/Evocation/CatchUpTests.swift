import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// Doing everything that is due, as a background task and a silent push ask for.
@Suite(.patient) struct CatchUpTests {
  private let clock = ManualClock()
  private let connectivity = ManualConnectivity()
  /// Set for a remote that does not answer.
  private let isStuck = Lock(false)
  private let isBroken = Lock(false)
  private let gate = Gate()
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation

  init() {
    let (isStuck, isBroken, gate) = (isStuck, isBroken, gate)
    remote = RepositoryMock { call in
      if isStuck.withLock({ $0 }) { try await gate.pass() }
      if isBroken.withLock({ $0 }) { throw Outage(place: .remote) }
      return switch call {
      case .find: [Car(id: 1)]
      case .storeOne(let car), .updateOne(let car): [car]
      case .findOne, .store, .update, .storeOrUpdate, .remove, .removeOne, .mirror: []
      }
    }
    evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0 },
        outbox: .init(sendsAutomatically: false, connectivity: connectivity)))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
  }

  private func watched(
    _ criteria: Criteria = Criteria()
  ) async -> (CacheRepository<ProxyCacheDataSource<Car>>, Any) {
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    cars.requirements = criteria
    var watch = Watch(cars.observe())
    _ = await watch.state { $0.freshness == .fresh && !$0.isRefreshing }
    return (cars, watch)
  }

  private var calls: [String] { remote.calls.map(\.description) }

  @Test func `It sends first, then fetches what is observed and due, and then the prefetches`()
    async
  {
    let watched = await watched()
    await evocation.prefetch(Car.self, criteria: ["year": 1970], maxAge: .seconds(60))
    _ = await evocation.storeOne(Car(id: 7))
    let before = calls.count
    // Nothing else is due yet.
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(sent: 1))
    #expect(calls.dropFirst(before) == ["storeOne"])
    _ = await evocation.storeOne(Car(id: 8))
    isStuck.withLock { $0 = true }
    clock.advance(by: .seconds(61))
    // Fetching by age has begun; it is joined.
    gate.open()
    let result = await evocation.catchUp(deadline: .seconds(25))
    #expect(result.sent == 1)
    #expect(result.left == 0)
    #expect(result.refreshed >= 1)
    #expect(calls.count(where: { $0 == "storeOne" }) == 2)
    withExtendedLifetime(watched) {}
  }

  @Test func `A prefetch is repeated when it is older than its age, and after a failure`() async {
    await evocation.prefetch(Car.self, maxAge: .seconds(60))
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp())
    clock.advance(by: .seconds(61))
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(refreshed: 1))
    isBroken.withLock { $0 = true }
    await evocation.prefetch(Car.self, criteria: ["id": 1])
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(left: 1))
    isBroken.withLock { $0 = false }
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(refreshed: 1))
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp())
  }

  @Test func `It returns by the deadline, with what is left`() async {
    isBroken.withLock { $0 = true }
    await evocation.prefetch(Car.self)
    await evocation.prefetch(Car.self, criteria: ["id": 1])
    isBroken.withLock { $0 = false }
    isStuck.withLock { $0 = true }
    async let result = evocation.catchUp(deadline: .seconds(25))
    #expect(await gate.arrivals(2))
    clock.advance(by: .seconds(25))
    #expect(await result == CatchUp(left: 2))
  }

  @Test func `Offline, it returns at once with what is left`() async throws {
    await evocation.prefetch(Car.self, maxAge: .seconds(60))
    connectivity.goOffline()
    clock.advance(by: .seconds(61))
    _ = await evocation.storeOne(Car(id: 7))
    try await eventually("the outbox knows it") { !evocation.outbox.isOnline }
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(left: 2))
  }

  @Test func `What a live service may have sent in the meantime is due at any age`() async throws {
    let live = RepositoryMock<Car>(sendsLiveChanges: true) { _ in [Car(id: 1)] }
    let activity = ManualActivity(isActive: false)
    let evocation = Evocation(configuration: .init(clock: clock, activity: activity))
    evocation.register(for: Car.self).repository(remote: live)
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
    let cars = evocation.cache(Car.self, maxAge: .seconds(60))
    cars.requirements = Criteria()
    var watch = Watch(cars.observe())
    _ = await watch.state { $0.freshness == .fresh && !$0.isRefreshing }
    var plain = Watch(evocation.observe(Car.self, where: \.year == 1970))
    _ = await plain.state()
    let before = live.calls.count
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp(refreshed: 2))
    #expect(live.calls.count == before + 2)
    #expect(live.liveMarks.isEmpty)
  }

  @Test func `A progress counts what is done, and canceling it ends the call`() async {
    isBroken.withLock { $0 = true }
    for id in 1...4 { await evocation.prefetch(Car.self, criteria: ["id": .init(id)]) }
    isBroken.withLock { $0 = false }
    let canceled = Progress(totalUnitCount: -1)
    canceled.cancel()
    #expect(await evocation.catchUp(deadline: .seconds(25), progress: canceled).left == 4)
    let progress = Progress(totalUnitCount: -1)
    #expect(await evocation.catchUp(deadline: .seconds(25), progress: progress).refreshed == 4)
    #expect(progress.totalUnitCount == 4)
    #expect(progress.isFinished)
  }

  @Test func `The prefetches of a user who has signed out are not repeated`() async throws {
    await evocation.prefetch(Car.self, maxAge: .seconds(60))
    try await evocation.signOut(.discard)
    clock.advance(by: .seconds(61))
    #expect(await evocation.catchUp(deadline: .seconds(25)) == CatchUp())
  }

  @Test func `The first synchronization has a date, which later ones do not change`() async throws {
    #expect(await evocation.firstSync(of: Car.self) == nil)
    await evocation.prefetch(Car.self)
    let first = clock.date
    clock.advance(by: .seconds(100))
    await evocation.prefetch(Car.self)
    #expect(await evocation.firstSync(of: Car.self) == first)
    #expect(await evocation.firstSync(of: Car.self, where: \.year == 1970) == nil)
    try await evocation.signOut(.discard)
    #expect(await evocation.firstSync(of: Car.self) == nil)
  }
}
