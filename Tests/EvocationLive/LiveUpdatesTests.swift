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
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// What a service sends by itself, and what then happens to everything that is observed.
@Suite(.patient) struct LiveUpdatesTests {
  private let clock = ManualClock()
  private let activity = ManualActivity(isActive: true)
  private let connectivity = ManualConnectivity()
  private let cars = InMemoryRepository<Car>()
  /// What the service has.
  private let held = Lock<[Car]>([])
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation

  init() {
    let held = held
    remote = RepositoryMock(sendsLiveChanges: true) { _ in held.withLock { $0 } }
    evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0 }, outbox: .init(connectivity: connectivity),
        activity: activity))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(.remoteFirst)
  }

  private func send(_ stored: [Car] = [], removed: [String] = [], mark: String? = nil) {
    held.withLock { held in
      held.removeAll { car in removed.contains("\(car.id)") || stored.contains { $0.id == car.id } }
      held += stored
    }
    remote.send(RemoteChanges(stored: stored, removed: removed, mark: mark))
  }

  private func ids(_ result: Evocation.Result<[Car]>?) -> [Int]? { result?.data?.map(\.id) }

  /// Observes all cars, and waits until they are followed.
  private func watch() async -> Watch<some ObservedSequence<Evocation.Result<[Car]>>> {
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    return watch
  }

  @Test func `What a service sends reaches observers, finds, counts and caches`() async {
    let cache = evocation.cache(Car.self, maxAge: .seconds(60))
    cache.requirements = Criteria()
    var states = Watch(cache.observe())
    _ = await states.state { $0.freshness == .fresh && !$0.isRefreshing }
    var watch = await watch()
    send([Car(id: 1), Car(id: 2)])
    #expect(await watch.state { ids($0) == [1, 2] } != nil)
    #expect(await states.state { $0.cache?.map(\.id) == [1, 2] } != nil)
    send([Car(id: 2, year: 1980)], removed: ["1"])
    #expect(await watch.state { $0.data == [Car(id: 2, year: 1980)] } != nil)
    #expect(await states.state { $0.cache == [Car(id: 2, year: 1980)] } != nil)
    #expect(await evocation.find(model: Car.self, rule: .localOnly).data?.map(\.id) == [2])
    #expect(await evocation.count(model: Car.self, rule: .localOnly).data == 1)
  }

  @Test func `A service is followed by one subscription, for as long as anyone observes`()
    async throws
  {
    #expect(remote.liveMarks.isEmpty)
    var first = Optional(await watch())
    let begun = Promise<Void>()
    let second = Task { [evocation] in
      for await _ in evocation.observe(model: Car.self) { begun.fulfil() }
    }
    await begun.value
    var year: Watch? = Watch(evocation.observe(Car.self, where: \.year == 1980))
    _ = await year?.state()
    #expect(remote.liveMarks.count == 1)
    #expect(first.take() != nil)
    year = nil
    #expect(remote.isLive)
    second.cancel()
    // Often the next screen observes the same, so it stays for half a second.
    #expect(await clock.sleeps(1))
    #expect(remote.isLive)
    clock.advance(by: .milliseconds(500))
    try await eventually("the end of the subscription") { !remote.isLive }
    let last = await watch()
    #expect(await remote.liveStreams(2))
    withExtendedLifetime(last) {}
  }

  @Test func `A repository that sends nothing by itself is asked for no stream`() async {
    let silent = RepositoryMock<Car> { _ in [] }
    evocation.register(for: Car.self).repository(remote: silent).repository(local: cars)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    #expect(silent.liveMarks.isEmpty)
  }

  @Test func `A remote that is registered while its models are observed is followed`() async {
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    #expect(remote.liveMarks.isEmpty)
    _ = try? evocation.proxy(for: Car.self).repository(remote: remote)
    #expect(await remote.liveStreams(1))
  }

  @Test func `Nothing is followed while the app is inactive or offline`() async throws {
    var watch = await watch()
    #expect(await activity.listeners(1))
    activity.resignActive()
    try await eventually("the end while inactive") { !remote.isLive }
    held.withLock { $0 = [Car(id: 7)] }
    activity.becomeActive()
    #expect(await remote.liveStreams(2))
    // What was missed in the meantime is fetched.
    #expect(await watch.state { ids($0) == [7] } != nil)
    #expect(await connectivity.listeners(1))
    connectivity.goOffline()
    try await eventually("the end while offline") { !remote.isLive }
    connectivity.goOnline()
    #expect(await remote.liveStreams(3))
  }

  @Test(arguments: [Outage(place: .remote), nil])
  func `After a lost connection another one goes on from the mark, and what was missed is fetched`(
    _ error: Outage?
  ) async throws {
    var watch = await watch()
    send([Car(id: 1)], mark: "1")
    #expect(await watch.state { ids($0) == [1] } != nil)
    send([Car(id: 2)], mark: "2")
    #expect(await watch.state { ids($0) == [1, 2] } != nil)
    held.withLock { $0 = [Car(id: 2), Car(id: 3)] }
    remote.endLiveChanges(throwing: error)
    #expect(await clock.sleeps(1))
    #expect(remote.liveMarks == [nil])
    clock.advance(by: .seconds(1))
    #expect(await watch.state { ids($0) == [2, 3] } != nil)
    #expect(remote.liveMarks == [nil, "2"])
  }

  @Test func `Failures in a row pause longer each time, and at least as long as is asked`()
    async throws
  {
    var watch = await watch()
    for (pause, number) in [(1, 2), (2, 3), (4, 4), (8, 5)] {
      remote.endLiveChanges()
      #expect(await clock.sleeps(number - 1))
      clock.advance(by: .seconds(pause) - .milliseconds(1))
      #expect(remote.liveMarks.count == number - 1)
      clock.advance(by: .milliseconds(1))
      #expect(await remote.liveStreams(number))
    }
    remote.endLiveChanges(throwing: Busy())
    #expect(await clock.sleeps(5))
    clock.advance(by: .seconds(99))
    #expect(remote.liveMarks.count == 5)
    clock.advance(by: .seconds(1))
    #expect(await remote.liveStreams(6))
    send([Car(id: 1)])
    #expect(await watch.state { ids($0) == [1] } != nil)
  }

  private struct Busy: ClassifiedError {
    var failureKind: FailureKind { .transient }
    var retryAfter: Duration? { .seconds(100) }
  }

  @Test func `Messages that come twice, or that say nothing new, change nothing`() async {
    var watch = await watch()
    send([Car(id: 1), Car(id: 1, year: 1980)])
    #expect(await watch.state { $0.data == [Car(id: 1, year: 1980)] } != nil)
    send([Car(id: 1, year: 1980)], removed: ["9", "not a number", ""])
    send([Car(id: 2)])
    #expect(ids(await watch.state()) == [1, 2])
  }

  @Test func `Of several changes of a model the last one counts`() async {
    var watch = await watch()
    send([Car(id: 1)], removed: ["2"])
    send([Car(id: 2)], removed: ["1"])
    #expect(await watch.state { ids($0) == [2] } != nil)
  }

  @Test func `What the app has not sent yet stays on top of what arrives`() async throws {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
      .strategy(.offlineFirst)
    evocation.outbox.pause()
    held.withLock { $0 = [Car(id: 1), Car(id: 2)] }
    _ = await evocation.find(model: Car.self, rule: .remoteFirst)
    _ = await evocation.updateOne(Car(id: 1, model: "Mine"))
    var watch = await watch()
    send([Car(id: 1, model: "Theirs"), Car(id: 2, model: "Theirs")])
    #expect(await watch.state { $0.data?.map(\.model) == ["Mine", "Theirs"] } != nil)
    let entry = try #require(try await evocation.outbox.entries(of: Car.self).first)
    #expect(entry.base == Car(id: 1))
    #expect(entry.seen == Car(id: 1, model: "Theirs"))
  }

  @Test func `A fetch that began before a change neither takes it back nor revives what is gone`()
    async
  {
    let gate = Gate()
    let late = RepositoryMock<Car>(sendsLiveChanges: true) { _ in
      try await gate.pass()
      return [Car(id: 1), Car(id: 2), Car(id: 3)]
    }
    evocation.register(for: Car.self).repository(remote: late).repository(local: cars)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await late.liveStreams(1)
    async let found = evocation.find(
      model: Car.self, rule: .init(target: .remote, synchronize: .mirror))
    // The fetch of what was missed, and this one.
    await gate.arrivals(2)
    late.send(RemoteChanges(stored: [Car(id: 1, year: 1999), Car(id: 4)], removed: ["2"]))
    #expect(await watch.state { ids($0) == [1, 4] } != nil)
    gate.open()
    _ = await found
    #expect(await watch.state { ids($0) == [1, 3, 4] }?.data?.first?.year == 1999)
  }

  @Test func `A model whose version is older than that in the local store is a late message`() async
  {
    held.withLock { $0 = [Car(id: 2)] }
    var watch = await watch()
    // The fetch of what was missed: its answer says no versions, so that a later one would delete them.
    #expect(await watch.state { ids($0) == [2] } != nil)
    func send(_ stored: [Car], _ versions: [String]) {
      for car in stored where car.year > 1970 { held.withLock { $0 = [car, Car(id: 2)] } }
      remote.send(RemoteChanges(stored: stored, versions: versions))
    }
    send([Car(id: 1, year: 1980)], ["10"])
    #expect(await watch.state { $0.data?.first == Car(id: 1, year: 1980) } != nil)
    send([Car(id: 1, year: 1970), Car(id: 2), Car(id: 3)], ["9", "9", "9"])
    #expect(await watch.state { ids($0) == [1, 2, 3] }?.data?.first?.year == 1980)
    send([Car(id: 1, year: 1990)], ["11"])
    #expect(await watch.state { $0.data?.first?.year == 1990 } != nil)
  }

  @Test func `The next user is followed by a connection of their own, from the beginning`()
    async throws
  {
    var watch = await watch()
    send([Car(id: 1)], mark: "1")
    #expect(await watch.state { ids($0) == [1] } != nil)
    held.withLock { $0 = [] }
    try await evocation.signOut(.discard)
    #expect(await remote.liveStreams(2))
    #expect(remote.liveMarks == [nil, nil])
    #expect(await watch.state { ids($0) == [] } != nil)
  }

  @Test func `A lost connection is traced`() async throws {
    let traces = Lock<[String]>([])
    let evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { trace in
          if trace.call == "live" { traces.withLock { $0.append(trace.description) } }
        }))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    await remote.liveStreams(1)
    remote.endLiveChanges(throwing: Outage(place: .remote))
    try await eventually("the trace") { !traces.withLock { $0.isEmpty } }
    let reason = "Outage(place: Evocation.Evocation.RepositoryType.remote)"
    #expect(
      traces.withLock { $0 } == [
        "live Car: remote failed: its live connection has ended: \(reason)."
      ])
  }

  @Test func `A fetch that ends with its connection is no failure of its own`() async throws {
    let (traces, asked) = (Lock<[String]>([]), Lock(0))
    let evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { trace in
          if trace.call == "live" { traces.withLock { $0.append(trace.description) } }
        }))
    let slow = RepositoryMock<Car>(sendsLiveChanges: true) { _ in
      asked.withLock { $0 += 1 }
      try await Task.sleep(for: .seconds(3_600))
      return []
    }
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: slow).repository(local: cars)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    try await eventually("the fetch of what was missed") { asked.withLock { $0 } > 0 }
    slow.endLiveChanges(throwing: Outage(place: .remote))
    try await eventually("the trace") { !traces.withLock { $0.isEmpty } }
    #expect(!traces.withLock { $0 }.contains { $0.contains("missed") })
  }
}
