import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import Evocation

/// For how long one process sends, and when it may again.
@Suite(.timeLimit(.minutes(30))) struct OutboxLeaseTests {
  let service = IdempotentService<Draft>()
  let local = InMemoryRepository<Draft>()
  let clock = ManualClock()

  private func evocation(sends: Bool = true) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: sends)))
    evocation.register(for: Draft.self).repository(remote: service)
      .repository(local: local).strategy(.offlineFirst)
    return evocation
  }

  /// Waits until the store's lease is as it should be.
  private func lease(until fits: (OutboxLease?) -> Bool) async throws {
    try await eventually("the lease as it should be") {
      try await fits(local.look(isShort: true) { try $0.entries.lease })
    }
  }

  @Test func `who pauses lets another send at once, and takes its turn again when it resumes`()
    async throws
  {
    let (first, second) = (evocation(), evocation(sends: false))
    _ = await first.storeOne(Draft(id: 1, title: "a"))
    await first.outbox.wait { $0.pending == 0 }
    _ = await second.storeOne(Draft(id: 2, title: "b"))
    await first.outbox.wait { $0.pending == 0 }
    first.outbox.pause()
    try await lease { $0 == nil }
    _ = await second.storeOne(Draft(id: 3, title: "c"))
    #expect(await second.outbox.flush().left == 0)
    first.outbox.resume()
    second.outbox.pause()
    _ = await first.storeOne(Draft(id: 4, title: "d"))
    try await clock.advance(untilSentBy: first.outbox)
    #expect(service.requests.count == 4)
  }

  @Test func `a sign-out that keeps entries ends for all processes when one of them resumes`()
    async throws
  {
    let (first, second) = (evocation(), evocation())
    try await first.outbox.settle(.keep)
    _ = await second.storeOne(Draft(id: 1, title: "a"))
    await second.outbox.wait { $0.pause != nil }
    #expect(try await first.outbox.status().pause != nil)
    first.outbox.resume()
    await second.outbox.wait { $0.pause == nil }
    await first.outbox.wait { $0.pause == nil }
    try await clock.advance(untilSentBy: first.outbox, second.outbox)
    #expect(service.requests == ["store 1 acted"])
  }

  @Test(arguments: Outbox.UnsentWrites.allCases)
  func `signing out gives the lease back, whatever becomes of the entries`(
    unsent: Outbox.UnsentWrites
  ) async throws {
    let evocation = evocation()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await evocation.outbox.wait { $0.pending == 0 }
    try await lease { $0?.holder == evocation.outbox.holder }
    try await evocation.outbox.settle(unsent)
    try await lease { $0 == nil }
    evocation.outbox.resume()
    await evocation.outbox.wait { $0.pause == nil }
  }
}

/// The same by the machine alone.
struct OutboxMachineLeaseTests {
  @Test func `a pause that the store asks for ends when the store says so, and no sooner`() {
    var played = PlayedMachine()
    #expect(played.handle(.looked(played.store, .held)) == ["paused"])
    #expect(played.handle(.touched(played.store)) == ["look afresh"])
    #expect(played.handle(.looked(played.store, .held)) == [])
    _ = played.handle(.touched(played.store))
    #expect(played.found(lease: nil) == ["resumed"])
  }

  @Test func `a look that began before the sign-out does not end it`() {
    var played = PlayedMachine()
    #expect(played.handle(.held([played.store])) == ["paused"])
    #expect(played.found() == ["release"])
    #expect(played.machine.pause != nil)
  }

  @Test func `a store that is held is not asked over and over for what still runs`() {
    var played = PlayedMachine()
    _ = played.take(1)
    _ = played.found()
    _ = played.handle(.held([played.store]))
    played.now = .seconds(9)
    #expect(played.handle(.timer) == [])
    #expect(played.handle(.touched(played.store)) == ["look afresh"])
    #expect(played.handle(.looked(played.store, .held)) == [])
  }
}
