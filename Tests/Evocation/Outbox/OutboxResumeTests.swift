import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// What a flush does that follows a resume at once, and who may send where two processes share a store.
@Suite(.patient) struct OutboxResumeTests {
  private let local = InMemoryRepository<Memo>()

  private func register(
    _ evocation: Evocation, _ service: ScriptedService<Memo>
  ) -> Evocation {
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return evocation
  }

  /// What a flush comes to that follows a resume, round by round; each has a write that was held.
  private func flushes(
    _ rounds: Int, of evocation: Evocation, hold: () async throws -> Void,
    alsoHold: () async throws -> Void = {}
  ) async throws -> [Outbox.FlushResult] {
    var results: [Outbox.FlushResult] = []
    for id in 1...rounds {
      try await hold()
      _ = await evocation.storeOne(Memo(id: id))
      try await alsoHold()
      evocation.outbox.resume()
      results.append(await evocation.outbox.flush())
    }
    return results
  }

  private let allSent = [Outbox.FlushResult](
    repeating: .init(sent: 1, left: 0, parked: 0), count: 20)

  @Test func `a flush right after a resume sends what waited`() async throws {
    let evocation = register(.flushedByHand(), ScriptedService())
    let results = try await flushes(20, of: evocation) { evocation.outbox.pause() }
    #expect(results == allSent)
  }

  @Test func `a flush right after the user signed in again sends what was refused`() async throws {
    let service = ScriptedService<Memo> { request, _ in
      if !request.number.isMultiple(of: 2) { throw Refused(.authorization) }
      return nil
    }
    let evocation = register(.flushedByHand(), service)
    let results = try await flushes(20, of: evocation) {
    } alsoHold: {
      _ = await evocation.outbox.flush()
    }
    #expect(results == allSent)
  }

  /// A service whose credential is renewed by hand.
  private final class RenewedService: ForwardingRepository, SharedService {
    let base: ScriptedService<Memo>
    let service = "service"
    private let handlers = Lock<[@Sendable () -> Void]>([])

    init(_ base: ScriptedService<Memo>) { self.base = base }

    func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
      handlers.withLock { $0.append(handler) }
      return Evocation.Observation {}
    }

    func renew() { for handler in handlers.withLock({ $0 }) { handler() } }
  }

  @Test func `all writes under way as the credential is renewed are sent again`() async throws {
    let (gate, isValid) = (Gate(), Lock(true))
    let service = RenewedService(
      ScriptedService { _, _ in
        if isValid.withLock({ $0 }) { return nil }
        try await gate.pass()
        throw Refused(.authorization)
      })
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    _ = await evocation.storeOne(Memo())
    #expect(await evocation.outbox.flush().sent == 1)
    isValid.withLock { $0 = false }
    _ = await evocation.store([Memo(id: 2), Memo(id: 3)])
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(2))
    isValid.withLock { $0 = true }
    service.renew()
    gate.open()
    _ = await flush.value
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await evocation.outbox.status().pause == nil)
    #expect(try await service.base.all.count == 3)
  }

  @Test func `what was sent with a credential that was good and is renewed is sent again`()
    async throws
  {
    let gates = [2: Gate(), 4: Gate(), 5: Gate()]
    let service = RenewedService(
      ScriptedService { request, _ in
        try await gates[request.number]?.pass()
        if request.number == 2 || request.number == 4 { throw Refused(.authorization) }
        return nil
      })
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    _ = await evocation.storeOne(Memo(id: 1))
    #expect(await evocation.outbox.flush().sent == 1)
    _ = await evocation.storeOne(Memo(id: 2))
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gates[2]?.arrivals(1) == true)
    service.renew()
    _ = await evocation.storeOne(Memo(id: 3))
    await evocation.outbox.wait { $0.pending == 1 }
    _ = await evocation.storeOne(Memo(id: 4))
    #expect(await gates[4]?.arrivals(1) == true)
    gates[2]?.open()
    #expect(await gates[5]?.arrivals(1) == true)
    service.renew()
    gates[4]?.open()
    gates[5]?.open()
    #expect(await flush.value.left == 0)
    #expect(try await evocation.outbox.status().pause == nil)
    #expect(try await service.base.all.count == 4)
  }

  @Test func `a flush right after a resume sends what was kept at signing out`() async throws {
    let evocation = register(.flushedByHand(), ScriptedService())
    let results = try await flushes(20, of: evocation) {
    } alsoHold: {
      try await evocation.outbox.settle(.keep)
    }
    #expect(results == allSent)
  }

  @Test func `a flush tries again what was under way as it began and failed then`() async throws {
    let gate = Gate()
    let service = ScriptedService<Memo> { request, _ in
      guard request.number == 1 else { return nil }
      try await gate.pass()
      throw Refused(.transient)
    }
    let clock = ReadClock()
    let evocation = register(
      Evocation(configuration: .init(clock: clock, chance: { 0.5 })), service)
    _ = await evocation.storeOne(Memo())
    #expect(await gate.arrivals(1))
    // Nothing reads the clock while the request is held, until the flush begins.
    let before = try await clock.atRest()
    let flush = Task { await evocation.outbox.flush() }
    try await eventually("the flush to begin") { clock.readings.withLock { $0 } > before }
    _ = try await clock.atRest()
    gate.open()
    #expect(await flush.value == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
  }

  /// A clock that stands, and counts how often its time is read.
  private struct ReadClock: DateClock {
    let base = ManualClock()
    let readings = Lock(0)

    var now: ManualClock.Instant {
      readings.withLock { $0 += 1 }
      return base.now
    }
    var date: Date { base.date }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }

    /// How often it was read, once it is read no more.
    func atRest() async throws -> Int {
      var (count, since) = (0, 0)
      while since < 2_000 {
        try Task.checkCancellation()
        await Task.yield()
        let now = readings.withLock { $0 }
        (count, since) = now == count ? (count, since + 1) : (now, 0)
      }
      return count
    }
  }

  /// Has one app send while its first request is held, and another flush meanwhile.
  private func sendTwice(
    _ first: Evocation, _ second: Evocation, _ service: ScriptedService<Memo>, _ gate: Gate
  ) async throws {
    _ = await first.storeOne(Memo())
    let flush = Task { await first.outbox.flush() }
    #expect(await gate.arrivals(1))
    #expect(await second.outbox.flush().sent == 0)
    #expect(service.requests.count == 1)
    gate.open()
    _ = await flush.value
    #expect(try await service.all == [Memo()])
  }

  @Test func `an app whose lease is longer than another's sends alone`() async throws {
    let gate = Gate()
    let service = ScriptedService<Memo> { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
    let clock = ManualClock()
    try await sendTwice(
      register(.flushedByHand(clock: clock, lease: .seconds(60)), service),
      register(.flushedByHand(clock: clock, lease: .seconds(15)), service), service, gate)
  }

  /// A clock by which a while passes just after its date was read, as if the process was suspended.
  private struct SuspendingClock: DateClock {
    let base: ManualClock
    let pause = Lock(Duration.zero)
    let hasPassed = Promise<Void>()

    var now: ManualClock.Instant { base.now }
    var minimumResolution: Duration { .zero }

    var date: Date {
      let date = base.date
      let pause = pause.withLock { pause in
        defer { pause = .zero }
        return pause
      }
      if pause > .zero {
        base.advance(by: pause)
        hasPassed.fulfil()
      }
      return date
    }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test func `an app that was suspended while it took the lease does not send beside another`()
    async throws
  {
    let gate = Gate()
    let service = ScriptedService<Memo> { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
    let clock = ManualClock()
    let suspending = SuspendingClock(base: clock)
    let first = register(.flushedByHand(clock: suspending, lease: .seconds(2)), service)
    let second = register(.flushedByHand(clock: clock, lease: .seconds(2)), service)
    _ = await first.storeOne(Memo())
    suspending.pause.withLock { $0 = .seconds(3) }
    let flush = Task { await first.outbox.flush() }
    // Time passes for both apps, so the second one begins after it.
    await suspending.hasPassed.value
    // It may send once it has taken the lease anew, and not at all by the one that is over.
    for _ in 0..<10_000 where service.requests.isEmpty { await Task.yield() }
    if service.requests.isEmpty { gate.open() }
    _ = await second.outbox.flush()
    #expect(service.requests.count <= 1)
    gate.open()
    _ = await flush.value
    #expect(service.requests.count == 1)
    #expect(try await service.all == [Memo()])
  }
}
