import Evocation
import EvocationLive
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// An app switches on that services are followed.
@Suite(.patient) struct LiveSwitchTests {
  private let notices = Lock<[String]>([])
  private let cars = InMemoryRepository<Car>()
  private let remote = RepositoryMock<Car>(sendsLiveChanges: true, announcesConnection: true) {
    _ in []
  }
  private let log: Evocation.Log
  private let evocation: Evocation

  init() throws {
    let notices = notices
    log = Evocation.Log { line in
      if case .notice(let text) = line { notices.withLock { $0.append(text) } }
    }
    evocation = Evocation(configuration: .init(clock: ManualClock(), log: log))
    try evocation.register(Car.self, remote: remote, local: cars, strategy: .remoteFirst)
  }

  private func watch() async -> Watch<some ObservedSequence<Evocation.Result<[Car]>>> {
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    return watch
  }

  @Test func `Nothing is followed until the app says so, and the log says that once`() async {
    let first = await watch()
    let second = Watch(evocation.observe(Car.self, where: \.year == 1980))
    log.flush()
    #expect(remote.liveMarks.isEmpty)
    #expect(
      notices.withLock { $0 } == [
        "the service of Car sends its changes, and nothing follows them. Import EvocationLive and "
          + "call live.start() of this Evocation to have them saved while they are observed."
      ])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `What is observed already is followed from the start, and later models too`() async {
    var first = await watch()
    evocation.live.start()
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(stored: [Car(id: 1)]))
    #expect(await first.state { $0.data?.map(\.id) == [1] } != nil)
    #expect(notices.withLock { $0.count } <= 1)
  }

  @Test func `It can be stopped and started again while models are observed`() async throws {
    var watch = await watch()
    evocation.live.start()
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(stored: [Car(id: 1)], mark: "7"))
    #expect(await watch.state { $0.data?.map(\.id) == [1] } != nil)
    // The ledger of a store in memory has it after the store has the models.
    try await eventually("the mark") {
      try evocation.proxy(for: Car.self).binding?.live.mark?.text == "7"
    }
    evocation.live.stop()
    try await eventually("the end of the subscription") { !remote.isLive }
    evocation.live.start()
    #expect(await remote.liveStreams(2))
    #expect(remote.liveMarks == [nil, "7"])
    #expect(evocation.live === evocation.live)
  }

  @Test func `Starting twice follows once`() async {
    evocation.live.start()
    evocation.live.start()
    let watch = await watch()
    #expect(await remote.liveStreams(1))
    #expect(remote.liveMarks.count == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `A subscription ends after its stay, also if the app's state changes in that moment`()
    async throws
  {
    let (service, clock) = (InterruptedService(), ManualClock())
    let evocation = Evocation(configuration: .init(clock: clock))
    try evocation.register(Car.self, remote: service, local: cars, strategy: .remoteFirst)
    let live = evocation.live
    live.start()
    let observation = evocation.observe(model: Car.self) { _ in }
    try await eventually("the subscription") { service.streams.withLock { $0 } == 1 }
    observation.cancel()
    #expect(await clock.sleeps(1))
    // Evocation looks what to follow, and before it knows, something else has it look again.
    service.interruption.withLock { $0 = { live.update(Car.self) } }
    clock.advance(by: .milliseconds(500))
    try await eventually("the end of the subscription") { service.streams.withLock { $0 } == 0 }
  }
}

/// A service that does something, once, while Evocation asks whether it sends changes.
private final class InterruptedService: ForwardingRepository, LiveRepository {
  let base = InMemoryRepository<Car>()
  let interruption = Lock<(@Sendable () -> Void)?>(nil)
  /// How many streams are open.
  let streams = Lock(0)

  var sendsLiveChanges: Bool {
    interruption.withLock { $0.take() }?()
    return true
  }

  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
    let (stream, continuation) = AsyncThrowingStream<RemoteChanges<Car>, any Error>.makeStream()
    streams.withLock { $0 += 1 }
    continuation.onTermination = { [streams] _ in streams.withLock { $0 -= 1 } }
    return stream
  }
}
