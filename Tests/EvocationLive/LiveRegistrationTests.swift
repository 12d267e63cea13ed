import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// Which service is followed after a model type is registered again.
@Suite(.patient) struct LiveRegistrationTests {
  enum Way: CaseIterable { case whole, chain, remoteAlone }

  private let cars = InMemoryRepository<Car>()
  private let first = RepositoryMock<Car>(sendsLiveChanges: true, announcesConnection: true) { _ in
    []
  }
  private let second = RepositoryMock<Car>(sendsLiveChanges: true, announcesConnection: true) {
    _ in []
  }
  private let evocation = Evocation(configuration: .init(clock: ManualClock(), chance: { 0 }))

  init() { evocation.live.start() }

  private func register(
    _ remote: RepositoryMock<Car>, _ way: Way = .whole, local: InMemoryRepository<Car>? = nil
  ) throws {
    switch way {
    case .whole:
      try evocation.register(
        Car.self, remote: remote, local: local ?? cars, strategy: .remoteFirst)
    case .chain:
      evocation.register(for: Car.self).repository(remote: remote)
        .repository(local: local ?? cars).strategy(.remoteFirst)
    case .remoteAlone: try evocation.proxy(for: Car.self).repository(remote: remote)
    }
  }

  @Test(arguments: Way.allCases)
  func `After another registration its service alone is followed, from no mark`(
    _ way: Way
  )
    async throws
  {
    try register(first)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    let cache = evocation.cache(Car.self)
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await first.liveStreams(1)
    first.send(RemoteChanges(stored: [Car(id: 1)], mark: "5"))
    #expect(await watch.state { $0.data?.map(\.id) == [1] } != nil)
    #expect(await states.state(where: \.isLive) != nil)

    try register(second, way)
    await second.liveStreams(1)
    try await eventually("the end of the first service's stream") { !first.isLive }
    #expect(second.liveMarks == [nil])
    first.send(RemoteChanges(stored: [Car(id: 2)], mark: "6"))
    second.send(RemoteChanges(stored: [Car(id: 3)], mark: "1"))
    // The observed cache has been fetched from the second service, which has none of the first one's.
    #expect(await watch.state { $0.data?.map(\.id) == [3] } != nil)
    #expect(await states.state { $0.isLive && $0.cache?.map(\.id) == [3] } != nil)
    var late = Watch(evocation.observe(Car.self, where: \.year == 1970))
    #expect(await late.state()?.data?.map(\.id) == [3])
    #expect((first.liveMarks.count, second.liveMarks.count) == (1, 1))
  }

  @Test func `What a service sends late, after another registration, is not saved`() async throws {
    let deaf = DeafService()
    try evocation.register(Car.self, remote: deaf, local: cars, strategy: .remoteFirst)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await deaf.reads.reach(1)
    try register(second)
    await second.liveStreams(1)
    deaf.late.fulfil(RemoteChanges(stored: [Car(id: 66)]))
    await deaf.ended.value
    second.send(RemoteChanges(stored: [Car(id: 3)]))
    #expect(await watch.state { $0.data?.isEmpty == false }?.data?.map(\.id) == [3])
  }

  @Test func `A type that is unregistered is not followed, until it is registered again`()
    async throws
  {
    try register(first)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await first.liveStreams(1)
    evocation.unregister(Car.self)
    try await eventually("the end of the stream") { !first.isLive }
    first.send(RemoteChanges(stored: [Car(id: 1)]))
    try register(second)
    await second.liveStreams(1)
    second.send(RemoteChanges(stored: [Car(id: 2)]))
    #expect(await watch.state { $0.data?.isEmpty == false }?.data?.map(\.id) == [2])
  }

  @Test func `The next account's changes arrive in its own store alone`() async throws {
    let others = InMemoryRepository<Car>()
    try register(first)
    let old = evocation.observe(model: Car.self)
    var watch = Watch(old)
    _ = await watch.state()
    await first.liveStreams(1)
    try register(second, local: others)
    try await eventually("the end of the stream") { !first.isLive }
    var present = Watch(evocation.observe(model: Car.self))
    _ = await present.state()
    await second.liveStreams(1)
    second.send(RemoteChanges(stored: [Car(id: 2)]))
    #expect(await present.state { $0.data?.map(\.id) == [2] } != nil)
    #expect(try await cars.find(Criteria()).value.isEmpty)
  }
}
