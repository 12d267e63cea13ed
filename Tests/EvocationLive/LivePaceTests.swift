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
}
