import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationValues

/// When connections begin again after the user has signed in again.
@Suite(.patient) struct LivePaceTests {
  /// A service that refuses everything until the app has another credential.
  private final class Guarded: ForwardingRepository, LiveRepository, SharedService {
    let base = InMemoryRepository([Car(id: 1)])
    let service = "https://example.com"
    let streams = Gate.Counter()
    let finds = Gate.Counter()
    let isRefused = Lock(true)
    let refusesStreams: Bool
    private let replacements = Broadcast<Void>()
    var announcesConnection: Bool { true }

    init(refusesStreams: Bool) { self.refusesStreams = refusesStreams }

    func find(_ criteria: Criteria) async throws -> Response<[Car]> {
      finds.increase()
      if isRefused.withLock({ $0 }) { throw Refusal(place: .remote, failureKind: .authorization) }
      return try await base.find(criteria)
    }

    func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
      streams.increase()
      let isClosed = refusesStreams && isRefused.withLock { $0 }
      let begins = Lock(true)
      return AsyncThrowingStream {
        if isClosed { throw Refusal(place: .remote, failureKind: .authorization) }
        let isFirst = begins.withLock { begins in
          defer { begins = false }
          return begins
        }
        if isFirst { return RemoteChanges() }
        try await Task.sleep(for: .seconds(3600))
        return nil
      }
    }

    func observeCredential(
      _ handler: @escaping @Sendable () -> Void
    ) -> Evocation.Observation {
      replacements.observe { handler() }
    }

    func signIn() {
      isRefused.withLock { $0 = false }
      replacements.tell()
    }
  }

  @Test(arguments: [true, false])
  func `Another credential ends the pauses of a stream, and of fetching what was missed`(
    refusesStreams: Bool
  ) async throws {
    let (clock, remote) = (ManualClock(), Guarded(refusesStreams: refusesStreams))
    let evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
    evocation.live.start()
    try evocation.register(
      Car.self, remote: remote, local: InMemoryRepository<Car>(), strategy: .remoteFirst)
    var watch = Watch(evocation.observe(model: Car.self))
    _ = await watch.state()
    for count in 1...3 {
      #expect(await clock.sleeps(count))
      if count < 3 { clock.advance(by: .seconds(60)) }
    }
    remote.signIn()
    #expect(await watch.state { $0.data?.map(\.id) == [1] } != nil)
    #expect(await (refusesStreams ? remote.streams : remote.finds).reach(4))
  }

  private struct Trip: Codable, Identifiable, Hashable, Sendable {
    var id: Int
  }

  /// A service that refuses to send the changes of a model type.
  private final class Refusing<Model: Codable & Identifiable & Hashable & Sendable>:
    ForwardingRepository, LiveRepository, SharedService
  {
    let base = InMemoryRepository<Model>()
    let service = "https://example.com"
    let streams = Gate.Counter()
    let count = Lock(0)
    private let refusal: any Error
    private let replacements = Broadcast<Void>()

    init(_ refusal: any Error) { self.refusal = refusal }

    func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
      count.withLock { $0 += 1 }
      streams.increase()
      return AsyncThrowingStream { [refusal] in throw refusal }
    }

    func observeCredential(
      _ handler: @escaping @Sendable () -> Void
    ) -> Evocation.Observation {
      replacements.observe { handler() }
    }

    func signIn() { replacements.tell() }
  }

  /// A service that asks never to be asked again.
  private struct Over: ClassifiedError {
    var failureKind: FailureKind { .permanent }
    var retryAfter: Duration? { .hours(24 * 3660) }
  }

  @Test(arguments: [false, true])
  func
    `A model type that is refused is asked for much later, or after a sign-in, and no other waits`(
      isOver: Bool
    ) async throws
  {
    let clock = ManualClock()
    let cars = Refusing<Car>(isOver ? Over() : Refusal(place: .remote))
    let traces = Lock<[String]>([])
    let evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { trace in
          if trace.call == "live" { traces.withLock { $0.append(trace.description) } }
        }, chance: { 0 }))
    evocation.live.start()
    try evocation.register(
      Car.self, remote: cars, local: InMemoryRepository<Car>(), strategy: .remoteFirst)
    let first = evocation.observe(model: Car.self) { _ in }
    await cars.streams.reach(1)
    #expect(await clock.sleeps(1))
    let line = "its service refuses a live connection, and is asked again much later: "
    #expect(traces.withLock { $0 }.first?.hasPrefix("live Car: remote failed: \(line)") == true)
    // Another one of the service, which does not wait.
    let trips = Refusing<Trip>(Refusal(place: .remote))
    try evocation.register(
      Trip.self, remote: trips, local: InMemoryRepository<Trip>(), strategy: .remoteFirst)
    let second = evocation.observe(model: Trip.self) { _ in }
    await trips.streams.reach(1)
    #expect(await clock.sleeps(2))
    clock.advance(by: .minutes(59))
    #expect((cars.count.withLock(\.self), trips.count.withLock(\.self)) == (1, 1))
    clock.advance(by: .minutes(1))
    await trips.streams.reach(2)
    #expect(await clock.sleeps(isOver ? 3 : 4))
    #expect(cars.count.withLock(\.self) == (isOver ? 1 : 2))
    let before = cars.count.withLock(\.self)
    cars.signIn()
    await cars.streams.reach(before + 1)
    withExtendedLifetime((first, second)) {}
  }
}
