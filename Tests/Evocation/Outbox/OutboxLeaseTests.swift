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
      try await fits(local.look(isShort: true) { try $0.lease })
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
    try await first.outbox.signOut(.keep)
    _ = await second.storeOne(Draft(id: 1, title: "a"))
    await second.outbox.wait { $0.pause != nil }
    #expect(try await first.outbox.status().pause != nil)
    first.outbox.resume()
    await second.outbox.wait { $0.pause == nil }
    await first.outbox.wait { $0.pause == nil }
    try await clock.advance(untilSentBy: first.outbox, second.outbox)
    #expect(service.requests.map(\.description) == ["store 1 acted"])
  }

  @Test(arguments: Outbox.UnsentWrites.allCases)
  func `signing out gives the lease back, whatever becomes of the entries`(
    unsent: Outbox.UnsentWrites
  ) async throws {
    let evocation = evocation()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await evocation.outbox.wait { $0.pending == 0 }
    try await lease { $0?.holder == evocation.outbox.holder }
    try await evocation.outbox.signOut(unsent)
    try await lease { $0 == nil }
    evocation.outbox.resume()
    await evocation.outbox.wait { $0.pause == nil }
  }
}

/// The same by the machine alone.
struct OutboxMachineLeaseTests {
  private func sending(channels: Int = 1) -> (PlayedMachine, OutboxMachine.Item) {
    var played = PlayedMachine(channels: channels)
    _ = played.handle(.rescan(0))
    let item = played.item(1, on: 1)
    _ = played.handle(.claimed(0, played.found([item])))
    return (played, item)
  }

  @Test func `a lease is given back when what runs has ended, and renewed until then`() {
    var (played, item) = sending()
    #expect(played.handle(.paused) == ["paused", "wake 5.0"])
    played.now = .seconds(5)
    #expect(played.handle(.timer) == ["claim 0 lease"])
    _ = played.handle(.claimed(0, .found(.init(lease: .seconds(10)))))
    #expect(played.handle(.ended(item, .well, .nothing, isSent: true)) == ["release 0"])
    #expect(played.handle(.timer) == [])
  }

  @Test func `nothing is claimed while the lease is being given back`() {
    var (played, item) = sending()
    _ = played.handle(.ended(item, .well, .nothing, isSent: true))
    #expect(played.handle(.paused) == ["paused", "release 0"])
    #expect(played.handle(.resumed) == ["resumed"])
    #expect(played.handle(.released(ObjectIdentifier(played.store))) == ["claim 0"])
  }

  @Test func `a pause that the store asks for ends when the store says so, and no sooner`() {
    var played = PlayedMachine(channels: 2)
    let store = ObjectIdentifier(played.store)
    _ = played.handle(.rescan(0))
    #expect(played.handle(.claimed(0, .held)) == ["paused"])
    #expect(played.handle(.claimed(1, .held)) == [])
    #expect(played.handle(.touched(store)) == ["claim 0 lease", "claim 1 lease"])
    #expect(played.handle(.claimed(0, .held)) == [])
    #expect(
      played.handle(.claimed(1, .found(.init(lease: .seconds(10))))) == [
        "resumed", "claim 0", "claim 1",
      ])
  }

  @Test func `a look that began before the sign-out does not end it`() {
    var played = PlayedMachine()
    _ = played.handle(.rescan(0))
    #expect(played.handle(.held([ObjectIdentifier(played.store)])) == ["paused"])
    #expect(played.handle(.claimed(0, played.found([played.item(1, on: 1)]))) == ["release 0"])
    #expect(played.machine.pause != nil)
  }

  @Test func `a store that is held is not asked over and over for what still runs`() {
    var (played, _) = sending()
    _ = played.handle(.held([ObjectIdentifier(played.store)]))
    played.now = .seconds(9)
    #expect(played.handle(.timer) == [])
    _ = played.handle(.touched(ObjectIdentifier(played.store)))
    #expect(played.handle(.claimed(0, .held)) == [])
  }

  @Test func `a store that another sends from is looked at now and then while it changes`() {
    var played = PlayedMachine()
    let store = ObjectIdentifier(played.store)
    _ = played.handle(.rescan(0))
    _ = played.handle(.claimed(0, .denied(.seconds(7))))
    played.now = .milliseconds(400)
    #expect(played.handle(.touched(store)) == ["wake 1.0"])
    played.now = .seconds(1)
    #expect(played.handle(.timer) == ["claim 0"])
    _ = played.handle(.claimed(0, .denied(.seconds(6))))
    #expect(played.handle(.timer) == ["wake 7.0"])
  }
}
