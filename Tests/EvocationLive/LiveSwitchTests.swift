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
}
