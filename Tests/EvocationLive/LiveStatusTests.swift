import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// What an app can see and steer of what is followed.
@Suite(.patient) struct LiveStatusTests {
  private let clock = ManualClock()
  private let remote = RepositoryMock<Car>(
    sendsLiveChanges: true, announcesConnection: true
  ) { _ in [Car(id: 1)] }
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
  }

  @Test func `The status says how far a connection is, why it ended, and when the next one begins`()
    async throws
  {
    #expect(evocation.live.statuses.map(\.phase) == [.idle])
    let sequence = evocation.live.observeStatuses()
    var statuses = sequence.makeAsyncIterator()
    func status(
      _ phase: Evocation.Live.Status.Phase
    ) async -> Evocation.Live.Status? {
      while let all = await statuses.next(isolation: #isolation) {
        if let status = all.first, status.phase == phase, !status.isBehind || phase != .connected {
          return status
        }
      }
      return nil
    }
    let observation = evocation.observe(model: Car.self) { _ in }
    await remote.liveStreams(1)
    #expect(await status(.connecting)?.error == nil)
    remote.send(RemoteChanges())
    let connected = await status(.connected)
    #expect(connected?.model.hasSuffix("Car") == true)
    #expect(connected?.error == nil)
    let date = clock.date.addingTimeInterval(1)
    remote.endLiveChanges(throwing: Outage(place: .remote))
    let waiting = await status(.waiting(until: date))
    #expect(waiting?.error is Outage)
    // The app need not wait.
    evocation.live.reconnect()
    #expect(await remote.liveStreams(2))
    remote.send(RemoteChanges())
    #expect(await status(.connected)?.error == nil)
    remote.endLiveChanges(throwing: Refusal(place: .remote))
    #expect(await status(.refused)?.error is Refusal)
    evocation.live.reconnect()
    #expect(await remote.liveStreams(3))
    // A connection that stands is opened again too.
    remote.send(RemoteChanges())
    #expect(await status(.connected) != nil)
    evocation.live.reconnect()
    #expect(await remote.liveStreams(4))
    evocation.live.stop()
    #expect(await status(.idle) != nil)
    var others = sequence.makeAsyncIterator()
    #expect(await others.next(isolation: #isolation)?.map(\.phase) == [.idle])
    withExtendedLifetime(observation) {}
  }

  @Test func `A service that ends its streams in order is asked again when it says`() async throws {
    let observation = evocation.observe(model: Car.self) { _ in }
    for count in 1...20 {
      #expect(await remote.liveStreams(count))
      remote.send(RemoteChanges())
      remote.send(RemoteChanges(stored: [Car(id: count)]))
      try await eventually("the connection") {
        evocation.live.statuses.first?.phase == .connected
      }
      clock.advance(by: .seconds(3))
      remote.endLiveChanges()
      try await eventually("the end") {
        evocation.live.statuses.first?.phase == .waiting(until: clock.date.addingTimeInterval(1))
      }
      await pass(.seconds(1), after: count)
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `A service that ends a stream before anything has arrived has failed`() async throws {
    let observation = evocation.observe(model: Car.self) { _ in }
    for (count, pause) in [(1, 1.0), (2, 2), (3, 4), (4, 8)] {
      #expect(await remote.liveStreams(count))
      remote.endLiveChanges()
      try await eventually("the end") {
        evocation.live.statuses.first?.phase
          == .waiting(until: clock.date.addingTimeInterval(pause))
      }
      await pass(.seconds(pause), after: count)
    }
    withExtendedLifetime(observation) {}
  }

  /// Lets a pause pass after a stream, whether it has begun or is about to.
  private func pass(_ pause: Duration, after count: Int) async {
    clock.advance(by: pause)
    while remote.liveMarks.count == count {
      await Task.yield()
      if remote.liveMarks.count == count { clock.advance(by: .milliseconds(10)) }
    }
  }

  @Test func `A model that the local store refuses is left out, and the others arrive`()
    async throws
  {
    let traces = Lock<[String]>([])
    let store = Strict()
    let evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { trace in
          if trace.call == "live" { traces.withLock { all in all.append(trace.description) } }
        },
        chance: { 0 }))
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: store)
      .strategy(.remoteFirst)
    let observation = evocation.observe(model: Car.self) { _ in }
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(mark: "1"))
    remote.send(RemoteChanges(stored: [Car(id: 2), Car(id: 13), Car(id: 3)], mark: "2"))
    remote.send(RemoteChanges(stored: [Car(id: 13)], mark: "3"))
    remote.send(RemoteChanges(stored: [Car(id: 4)], mark: "4"))
    try await eventually("the last one") {
      try await store.find(Criteria()).value.map(\.id) == [2, 3, 4]
    }
    try await eventually("the mark") {
      (try? evocation.proxy(for: Car.self))?.binding?.live.mark?.text == "4"
    }
    #expect(remote.liveMarks.count == 1, "the stream goes on")
    try await eventually("the trace") {
      traces.withLock(\.self).contains { $0.contains("the local store refuses") }
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `Nothing is left out of which the local store says that it may be saved later`()
    async throws
  {
    let store = Strict(alone: .transient)
    evocation.register(for: Car.self).repository(remote: remote).repository(local: store)
      .strategy(.remoteFirst)
    let observation = evocation.observe(model: Car.self) { _ in }
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(mark: "1"))
    remote.send(RemoteChanges(stored: [Car(id: 2), Car(id: 13)], mark: "2"))
    try await eventually("the end of the stream") {
      if case .waiting = evocation.live.statuses.first?.phase { true } else { false }
    }
    #expect(try evocation.proxy(for: Car.self).binding?.live.mark?.text != "2")
    withExtendedLifetime(observation) {}
  }

  /// A store that takes no car with the number 13.
  private final class Strict: ForwardingRepository, TransactionalRepository, ObservableRepository {
    let base = InMemoryRepository<Car>()
    /// What it says of that car without others.
    private let alone: FailureKind

    init(alone: FailureKind = .permanent) { self.alone = alone }

    var fetchLedger: (any FetchLedger)? { base.fetchLedger }
    var storeIdentity: ObjectIdentifier { base.storeIdentity }

    func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
      for case .storeOrUpdate(let models) in write.changes
      where models.contains(where: { $0.id == 13 }) {
        throw Refusal(place: .local, failureKind: models.count == 1 ? alone : .permanent)
      }
      return try await base.commit(write)
    }

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
    ) -> Evocation.Observation {
      base.observeChanges(handler)
    }
  }
}
