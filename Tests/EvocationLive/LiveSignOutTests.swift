import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import Evocation
@testable import EvocationCalls
@testable import EvocationLive
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// What becomes of streams when a user signs out.
@Suite(.patient) struct LiveSignOutTests {
  /// A local repository that says when it is emptied.
  private final class Watched: ForwardingRepository, ObservableRepository {
    let base = InMemoryRepository<Car>()
    let onRemoval = Lock<(@Sendable () -> Void)?>(nil)

    func remove(_ models: [Car]) async throws -> Response<[Car]> {
      onRemoval.withLock { $0 }?()
      return try await base.remove(models)
    }

    func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Car> {
      try await base.snapshot(criteria)
    }

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
    ) -> Evocation.Observation {
      base.observeChanges(handler)
    }
  }

  private let cars = InMemoryRepository<Car>()
  private let remote = RepositoryMock<Car>(sendsLiveChanges: true, announcesConnection: true) {
    _ in []
  }
  private let evocation = Evocation(
    configuration: .init(
      clock: ManualClock(), chance: { 0 }, outbox: .init(sendsAutomatically: false)))

  init() { evocation.live.start() }

  private func watch() async -> Watch<some ObservedSequence<Evocation.Result<[Car]>>> {
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    return watch
  }

  @Test func `Streams end before anything is emptied, and begin again after it, from no mark`()
    async throws
  {
    let local = Watched()
    try evocation.register(Car.self, remote: remote, local: local, strategy: .remoteFirst)
    var watch = await watch()
    remote.send(RemoteChanges(stored: [Car(id: 1)], mark: "5"))
    #expect(await watch.state { $0.data?.map(\.id) == [1] } != nil)
    let seen = Lock<(isLive: Bool, streams: Int)?>(nil)
    local.onRemoval.withLock { [remote] onRemoval in
      onRemoval = { seen.withLock { $0 = (remote.isLive, remote.liveMarks.count) } }
    }
    try await evocation.signOut(.discard)
    #expect(seen.withLock { $0?.isLive } == false)
    #expect(seen.withLock { $0?.streams } == 1)
    await remote.liveStreams(2)
    #expect(remote.liveMarks == [nil, nil])
    remote.send(RemoteChanges(stored: [Car(id: 2)], mark: "1"))
    #expect(await watch.state { $0.data?.map(\.id) == [2] } != nil)
  }

  @Test func `Nothing that arrives after a sign-out is saved, and no stream holds it up`()
    async throws
  {
    let deaf = DeafService()
    try evocation.register(Car.self, remote: deaf, local: cars, strategy: .remoteFirst)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await deaf.reads.reach(1)
    try await evocation.signOut(.discard)
    await deaf.reads.reach(2)
    deaf.late.fulfil(RemoteChanges(stored: [Car(id: 66)], mark: "66"))
    await deaf.ended.value
    #expect(try await cars.find(Criteria()).value.isEmpty)
    #expect(try evocation.proxy(for: Car.self).binding?.live.mark?.text == nil)
  }

  @Test func `A sign-out that unsent writes refuse leaves the stream as it is`() async throws {
    try evocation.register(Car.self, remote: remote, local: cars, strategy: .offlineFirst)
    var watch = await watch()
    _ = await evocation.storeOne(Car(id: 7))
    await #expect(throws: EvocationError.unsentWrites(1)) { try await evocation.signOut(.block) }
    remote.send(RemoteChanges(stored: [Car(id: 8)]))
    #expect(await watch.state { $0.data?.map(\.id).sorted() == [7, 8] } != nil)
    #expect(remote.isLive && remote.liveMarks.count == 1)
  }

  @Test func `A cache that a sign-out empties opens no stream after it`() async throws {
    try evocation.register(Car.self, remote: remote, local: cars, strategy: .remoteFirst)
    let cache = evocation.cache(Car.self)
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    await remote.liveStreams(1)
    try await evocation.signOut(.discard)
    #expect(!remote.isLive)
    remote.send(RemoteChanges(stored: [Car(id: 66)]))
    _ = await states.state { $0.freshness == nil }
    #expect(try await cars.find(Criteria()).value.isEmpty)
  }

  @Test func `Observers that leave during a sign-out leave no stream behind`() async throws {
    try evocation.register(Car.self, remote: remote, local: cars, strategy: .remoteFirst)
    let link = LiveLink<Car>(in: evocation.live)
    let proxy = try evocation.proxy(for: Car.self)
    let observer = proxy.followLive()
    link.update()
    #expect(link.stop() != nil)
    observer.cancel()
    link.update()
    #expect(link.stop() == nil)

    // Without a sign-out the stream stays for the next screen.
    let next = proxy.followLive()
    link.update()
    next.cancel()
    link.update()
    #expect(link.stop() != nil)
  }

  @Test func `After a sign-out that fails, changes are followed again`() async throws {
    struct Stuck: Error {}
    final class Unwilling: ForwardingRepository, ObservableRepository {
      let base = InMemoryRepository([Car(id: 1)])
      func remove(_ models: [Car]) async throws -> Response<[Car]> { throw Stuck() }
      func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Car> {
        try await base.snapshot(criteria)
      }
      func observeChanges(
        _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
      ) -> Evocation.Observation {
        base.observeChanges(handler)
      }
    }
    try evocation.register(
      Car.self, remote: remote, local: Unwilling(), strategy: .remoteFirst)
    var watch = await watch()
    await #expect(throws: Stuck.self) { try await evocation.signOut(.discard) }
    await remote.liveStreams(2)
    remote.send(RemoteChanges(stored: [Car(id: 2)]))
    #expect(await watch.state { $0.data?.contains { $0.id == 2 } == true } != nil)
  }
}
