import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

/// What is shown and kept where an answer comes late, or again, or beside a fetch.
@Suite(.patient) struct OutboxLateAnswerTests {
  private let old = Memo(title: "old")
  private let new = Memo(title: "new")
  private let local: InMemoryRepository<Memo>
  private let hour = Strategy.Rule.cacheFirst(maxAge: .seconds(3_600))

  init() { local = InMemoryRepository([old]) }

  private func evocation(
    _ service: ScriptedService<Memo>, ledger: any FetchLedger = InMemoryFetchLedger()
  ) -> Evocation {
    let evocation = Evocation.flushedByHand(ledger: ledger)
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return evocation
  }

  @Test func `a write that arrived after it was discarded elsewhere is shown as the remote has it`()
    async throws
  {
    let (gate, reads) = (Gate(), Gate())
    let service = ScriptedService([old]) { request, models in
      let answer = try await models.update([request.model]).value.first
      try await gate.pass()
      return answer
    }
    let (first, second) = (evocation(service), evocation(service))
    _ = await first.updateOne(new)
    let flush = Task { await first.outbox.flush() }
    #expect(await gate.arrivals(1))
    try await second.outbox.discard(second.outbox.entries(of: Memo.self)[0])
    #expect(try await local.find(Criteria()).value == [old])
    service.reads.withLock { $0 = reads }
    let find = Task { await first.find(model: Memo.self, rule: hour) }
    #expect(await reads.arrivals(1))
    gate.open()
    _ = await flush.value
    reads.open()
    #expect(await find.value.data == [new])
    #expect(try await local.find(Criteria()).value == [new])
    #expect(await first.find(model: Memo.self, rule: hour).data == [new])
  }

  @Test(arguments: [false, true])
  func `an answer that the service repeats does not put local behind what came after it`(
    isCompared: Bool
  ) async throws {
    let service = ScriptedService([old], habits: .repeatsAnswers) { request, models in
      guard request.number == 1 else { return nil }
      return try await models.update([request.model]).value.first
    }
    let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: remote).repository(local: local)
      .strategy(.offlineFirst)
      .conflicts(detectedBy: isCompared ? .automatic : .nothing) { _ in .theirs }
    _ = await evocation.updateOne(new)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
    let theirs = Memo(title: "theirs")
    _ = try await service.models.update([theirs])
    _ = await evocation.find(model: Memo.self, rule: hour)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [theirs])
    #expect(try await local.find(Criteria()).value == [theirs])
    #expect(await evocation.find(model: Memo.self, rule: hour).data == [theirs])
  }

  @Test func `what came after an answer that the service repeats is a conflict of the next write`()
    async throws
  {
    let service = ScriptedService<Memo>(habits: .repeatsAnswers)
    let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
    let evocation = Evocation.flushedByHand()
    let (local, conflicts) = (InMemoryRepository<Memo>(), Lock<[Outbox.Conflict<Memo>]>([]))
    evocation.register(for: Memo.self).repository(remote: remote).repository(local: local)
      .strategy(.offlineFirst).conflicts { conflict in
        conflicts.withLock { $0.append(conflict) }
        return .theirs
      }
    _ = await evocation.storeOne(old)
    #expect(await evocation.outbox.flush().left == 1)
    let theirs = Memo(title: "theirs")
    _ = await evocation.updateOne(new)
    _ = try await service.models.update([theirs])
    _ = await evocation.find(model: Memo.self, rule: hour)
    #expect(await evocation.outbox.flush().left == 0)
    let expected = Outbox.Conflict(kind: .update, base: old, mine: new, theirs: theirs)
    #expect(conflicts.withLock { $0 } == [expected])
    #expect(try await service.all == [theirs])
    #expect(try await local.find(Criteria()).value == [theirs])
  }

  /// How a conflict shows what the service has.
  enum Showing: CaseIterable, Sendable {
    case comparison, refusal
    /// The resolver has the write sent again, which fails.
    case resolved
  }

  @Test(arguments: Showing.allCases, [false, true])
  func `a read under way does not put local behind what a conflict has shown`(
    by showing: Showing, isGone: Bool
  ) async throws {
    let (reads, theirs) = (Gate(), Memo(title: "theirs"))
    let service = ScriptedService([old]) { _, _ in
      switch showing {
      case .comparison: return nil
      case .refusal: throw Refused(.conflict, current: isGone ? nil : theirs)
      case .resolved: throw Refused(.transient)
      }
    }
    let evocation = evocation(service)
    let proxy = try evocation.proxy(for: Memo.self)
      .conflicts(detectedBy: showing == .refusal ? .nothing : .automatic)
    if showing == .resolved { proxy.conflicts { _ in .mine } }
    _ = await evocation.updateOne(new)
    service.reads.withLock { $0 = reads }
    let find = Task { await evocation.find(model: Memo.self, rule: hour) }
    #expect(await reads.arrivals(1))
    if isGone {
      _ = try await service.models.remove([old])
    } else {
      _ = try await service.models.update([theirs])
    }
    _ = await evocation.outbox.flush()
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(entry.seen == (isGone ? nil : theirs))
    if showing == .resolved {
      reads.open()
      _ = await find.value
    }
    try await evocation.outbox.discard(entry)
    reads.open()
    _ = await find.value
    #expect(try await local.find(Criteria()).value == (isGone ? [] : [theirs]))
  }

  @Test(arguments: Read.allCases, [false, true])
  func `a read under way does not put local behind what a later read has shown`(
    later: Read, isGone: Bool
  ) async throws {
    let (service, reads, theirs) = (ScriptedService([old]), Gate(), Memo(title: "theirs"))
    let evocation = evocation(service)
    _ = await evocation.updateOne(new)
    service.reads.withLock { $0 = reads }
    let find = Task { await evocation.find(model: Memo.self, rule: hour) }
    #expect(await reads.arrivals(1))
    service.reads.withLock { $0 = nil }
    _ = try await isGone ? service.models.remove([old]) : service.models.update([theirs])
    switch later {
    case .find: _ = await evocation.find(model: Memo.self, criteria: ["id": 1], rule: .remoteFirst)
    case .findOne:
      _ = await evocation.findOne(model: Memo.self, criteria: ["id": 1], rule: .remoteFirst)
    }
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(entry.seen == (isGone ? nil : theirs))
    try await evocation.outbox.discard(entry)
    reads.open()
    _ = await find.value
    #expect(try await local.find(Criteria()).value == (isGone ? [] : [theirs]))
  }

  @Test func `a count under way while an update is sent counts the model once`() async throws {
    let (service, reads) = (ScriptedService([old, Memo(id: 2)]), Gate())
    _ = try await local.store([Memo(id: 2)])
    let evocation = evocation(service)
    _ = await evocation.updateOne(new)
    service.reads.withLock { $0 = reads }
    let count = Task { await evocation.count(model: Memo.self, rule: .remoteFirst) }
    #expect(await reads.arrivals(1))
    #expect(await evocation.outbox.flush().sent == 1)
    reads.open()
    #expect(await count.value.data == 2)
  }

  /// A ledger that can be stopped where it is asked for a record.
  private final class StoppedLedger: ForwardingLedger {
    let base = InMemoryFetchLedger()
    let gate = Lock<Gate?>(nil)

    func record(for tag: String) async throws -> FetchRecord? {
      try await gate.withLock { $0 }?.pass()
      return try await base.record(for: tag)
    }
  }

  /// How the app reads while a write is sent.
  enum Read: CaseIterable, Sendable { case find, findOne }

  /// Has a write be sent and acknowledged while a read's answer is about to be kept.
  private func keep(
    _ kind: Outbox.EntryKind, beside read: Read, _ service: ScriptedService<Memo>
  ) async throws {
    let (ledger, reads, landing) = (StoppedLedger(), Gate(), Gate())
    let evocation = evocation(service, ledger: ledger)
    _ = kind == .remove ? await evocation.removeOne(old) : await evocation.updateOne(new)
    (read == .find ? service.reads : service.singleReads).withLock { $0 = reads }
    let reading = Task {
      switch read {
      case .find: _ = await evocation.find(model: Memo.self, rule: hour)
      case .findOne:
        _ = await evocation.findOne(model: Memo.self, criteria: ["id": 1], rule: hour)
      }
    }
    #expect(await reads.arrivals(1))
    ledger.gate.withLock { $0 = landing }
    reads.open()
    #expect(await landing.arrivals(1))
    let flush = Task { await evocation.outbox.flush() }
    // Where the acknowledgement waits for the read, there is nothing else to wait for.
    for _ in 0..<10_000 where try await evocation.outbox.status().pending > 0 {
      await Task.yield()
    }
    landing.open()
    await reading.value
    #expect(await flush.value == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
  }

  @Test func `a find does not bring back what the outbox has removed beside it`() async throws {
    let service = ScriptedService([old, Memo(id: 2)])
    try await keep(.remove, beside: .find, service)
    #expect(try await service.all == [Memo(id: 2)])
    #expect(try await local.find(Criteria()).value == [Memo(id: 2)])
  }

  @Test(arguments: Read.allCases)
  func `a read does not undo what the outbox has changed beside it`(read: Read) async throws {
    let service = ScriptedService([old])
    try await keep(.update, beside: read, service)
    #expect(try await service.all == [new])
    #expect(try await local.find(Criteria()).value == [new])
  }
}
