import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

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

  /// Leaves the lease of a process that is gone, or of one that may be.
  private func leaveLease(for rest: Duration) async throws {
    let until = clock.date.addingTimeInterval(rest.seconds)
    try await local.transact(isShort: true) {
      try $0.entries.setLease(OutboxLease(holder: "gone", until: until, length: .seconds(15)))
    }
  }

  /// Begins a flush, and lets time pass until it ends.
  private func flush(
    _ evocation: Evocation, deadline: Duration, meanwhile: () async throws -> Void = {}
  ) async throws -> (result: Outbox.FlushResult, took: Duration) {
    let (ended, start, outbox) = (Promise<Outbox.FlushResult>(), clock.now, evocation.outbox)
    Task { ended.fulfil(await outbox.flush(deadline: deadline)) }
    while !ended.isFulfilled {
      await Task.yield()
      let (machine, now) = (outbox.state.withLock { $0.machine }, outbox.environment.time.now())
      // Nothing can happen any more without another second, and something can after it.
      guard machine.flushes > 0, machine.isSettled(at: now),
        machine.hasWork(before: now.adding(deadline), at: now),
        start.duration(to: clock.now) < deadline
      else { continue }
      try await meanwhile()
      clock.advance(by: .seconds(1))
    }
    return (await ended.value, start.duration(to: clock.now))
  }

  @Test func `a flush with a deadline waits for the lease of a process that was killed`()
    async throws
  {
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await leaveLease(for: .seconds(7))
    let (result, took) = try await flush(evocation, deadline: .seconds(20))
    #expect(result == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(result.reason == nil)
    #expect(took <= .seconds(8))
  }

  @Test func `a flush whose deadline comes before the end of a lease says what it waited for`()
    async throws
  {
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await leaveLease(for: .seconds(15))
    let (result, took) = try await flush(evocation, deadline: .seconds(8))
    #expect(result == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
    #expect(took <= .seconds(9))
    #expect(
      result.reason
        == "Another process has the lease on the local store, or was killed while it had it; "
        + "Evocation asks for the lease again in 7 s.")
    #expect(await evocation.outbox.flush().reason?.hasPrefix("Another process") == true)
  }

  @Test func `a flush sends as soon as the process that has the lease gives it back`()
    async throws
  {
    let evocation = evocation(sends: false)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    try await leaveLease(for: .seconds(15))
    let start = clock.now
    let (result, took) = try await flush(evocation, deadline: .seconds(12)) {
      guard start.duration(to: clock.now) == .seconds(3) else { return }
      try await local.transact(isShort: true) { try $0.entries.setLease(nil) }
    }
    #expect(result == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(took <= .seconds(6))
  }

  @Test func `a flush says why something is left`() async throws {
    let (evocation, failing) = (
      evocation(sends: false),
      ScriptedService<Draft> { _, _ in
        throw Refused(.transient)
      }
    )
    #expect(await evocation.outbox.flush().reason == nil)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    evocation.outbox.pause()
    #expect(
      await evocation.outbox.flush().reason == "Your app has paused sending; call resume().")
    evocation.outbox.resume()
    try evocation.proxy(for: Draft.self).repository(remote: failing)
    let result = await evocation.outbox.flush()
    #expect(result.left == 1)
    #expect(result.reason == "A server failed, and Evocation tries it again in 750 ms.")
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

  @Test(arguments: [false, true])
  func `what is registered again during a look is looked through without a pause`(
    endsBefore: Bool
  ) {
    var played = PlayedMachine()
    _ = played.handle(.closed(played.store, queue: "0"))
    if endsBefore { #expect(played.handle(.looked(played.store, .unregistered)) == []) }
    var effects = played.open(0)
    if !endsBefore { effects = played.handle(.looked(played.store, .unregistered)) }
    #expect(effects.contains("look afresh"))
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
