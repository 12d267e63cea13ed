import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

@Suite(.timeLimit(.minutes(30)))
struct OutboxSteeringTests {
  let service = NotingService()
  let local = InMemoryRepository<Draft>()
  let clock = ManualClock()

  func evocation(sends: Bool = false, concurrency: Int = 4) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(concurrency: concurrency, sendsAutomatically: sends)))
    evocation.register(for: Draft.self).repository(remote: service)
      .repository(local: local).strategy(.offlineFirst)
    return evocation
  }

  /// Entries of which one is being sent, and the others are next.
  func crowd(_ evocation: Evocation, _ gate: Gate) async -> Task<Outbox.FlushResult, Never> {
    service.gate.withLock { $0 = gate }
    for id in 1...6 { _ = await evocation.storeOne(Draft(id: id, title: "a")) }
    let flush = Task { await evocation.outbox.flush() }
    await gate.arrivals(1)
    return flush
  }

  @Test func `what was discarded while it was next is not sent`() async throws {
    let (evocation, gate) = (evocation(), Gate())
    let flush = await crowd(evocation, gate)
    let entries = try await evocation.outbox.entries(of: Draft.self)
    try await evocation.outbox.discard(entries[3])
    gate.open()
    #expect(await flush.value.left == 0)
    // Instances are sent side by side, in any order.
    #expect(service.notes.sorted() == [1, 2, 3, 5, 6].map { "store \($0) a" })
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3, 5, 6])
  }

  @Test func `what was edited before it was sent is sent once`()
    async throws
  {
    let (evocation, gate) = (evocation(), Gate())
    let flush = await crowd(evocation, gate)
    let entries = try await evocation.outbox.entries(of: Draft.self)
    try await evocation.outbox.resend(entries[3], as: Draft(id: 4, title: "b"))
    gate.open()
    #expect(await flush.value.left == 0)
    #expect(service.notes.filter { $0.contains(" 4 ") } == ["store 4 b"])
    #expect(try await service.models.find(["id": 4]).value == [Draft(id: 4, title: "b")])
    #expect(try await local.find(["id": 4]).value == [Draft(id: 4, title: "b")])
  }

  @Test func `nothing that was discarded by signing out is sent afterwards`() async throws {
    let (evocation, gate) = (evocation(), Gate())
    let flush = await crowd(evocation, gate)
    try await evocation.outbox.settle(.discard)
    gate.open()
    _ = await flush.value
    _ = await evocation.outbox.flush()
    #expect(service.notes == [])
    #expect(try await local.find(Criteria()).value == [])
    #expect(try await evocation.outbox.status().pending == 0)
  }

  @Test func `a flush returns by its deadline, and what runs goes on`() async throws {
    let (evocation, gate) = (evocation(sends: true), Gate())
    service.gate.withLock { $0 = gate }
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await gate.arrivals(1))
    let result = Promise<Outbox.FlushResult>()
    Task { result.fulfil(await evocation.outbox.flush(deadline: .seconds(5))) }
    await clock.advance(by: .milliseconds(100)) { result.isFulfilled }
    #expect(await result.value == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
    gate.open()
    await evocation.outbox.wait { $0.pending == 0 }
    #expect(service.notes == ["store 1 a"])
  }

  @Test func `a flush that is canceled returns at once, and says what is left`() async throws {
    let (evocation, gate) = (evocation(), Gate())
    let flush = await crowd(evocation, gate)
    flush.cancel()
    let result = await flush.value
    #expect(result.left == 6 && result.sent == 0 && result.reason != nil)
    gate.open()
  }

  @Test func `what is being sent is raised by a flush that is more urgent`() async throws {
    let (gate, raised) = (Gate(), Gate.Counter())
    let evocation = evocation()
    evocation.register(for: Draft.self)
      .repository(
        remote: RepositoryMock<Draft> { call in
          await withPriorityHandler {
            try? await gate.pass()
          } onRaised: { _ in
            raised.increase()
          }
          if case .storeOne(let draft) = call { return [draft] }
          return []
        }
      )
      .repository(local: local).strategy(.offlineFirst)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    let slow = Task.detached(priority: .background) { await evocation.outbox.flush() }
    await gate.arrivals(1)
    let urgent = Task.detached(priority: .high) { await evocation.outbox.flush() }
    #expect(await raised.reach(1))
    gate.open()
    #expect(await slow.value.left == 0)
    #expect(await urgent.value.left == 0)
  }

  @Test func `signing out is refused while something is unsent, if it is to be`() async throws {
    let evocation = evocation()
    try await evocation.outbox.settle(.block)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await #expect(throws: EvocationError.unsentWrites(1)) {
      try await evocation.outbox.settle(.block)
    }
    #expect(try await evocation.outbox.status().pending == 1)
  }

  @Test func `what is kept at signing out waits in the store, until the app resumes`() async throws
  {
    let first = evocation()
    _ = await first.storeOne(Draft(id: 1, title: "a"))
    try await first.outbox.settle(.keep)
    #expect(await first.outbox.flush().left == 1)
    let second = evocation()
    #expect(await second.outbox.flush().left == 1)
    #expect(service.notes == [])
    second.outbox.resume()
    await second.outbox.wait { $0.pause == nil }
    #expect(await second.outbox.flush().left == 0)
    #expect(service.notes == ["store 1 a"])
  }

  @Test func `a paused outbox takes writes and sends none, until it is resumed`() async throws {
    let evocation = evocation(sends: true)
    var events = evocation.outbox.events().makeAsyncIterator()
    evocation.outbox.pause()
    #expect(await events.next() == .paused(.byApp))
    #expect(await evocation.storeOne(Draft(id: 1, title: "a")).isPending)
    #expect(await evocation.outbox.flush().left == 1)
    #expect(try await evocation.outbox.status().pause == .byApp)
    evocation.outbox.resume()
    await evocation.outbox.wait { $0.pending == 0 }
    #expect(service.notes == ["store 1 a"])
  }

  @Test func `a parked entry is sent when it is retried, also while others are on their way`()
    async throws
  {
    let evocation = evocation(sends: true)
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await evocation.outbox.wait { $0.parked == 1 }
    let gate = Gate()
    service.gate.withLock { $0 = gate }
    _ = await evocation.storeOne(Draft(id: 2, title: "b"))
    #expect(await gate.arrivals(1))
    service.gate.withLock { $0 = nil }
    try await evocation.outbox.retry(evocation.outbox.entries(of: Draft.self)[0])
    await evocation.outbox.wait { $0.pending == 1 && $0.parked == 0 }
    #expect(try await service.models.find(Criteria()).value.map(\.id) == [1])
    gate.open()
    await evocation.outbox.wait { $0.pending == 0 }
  }

  @Test func `a refused entry that is edited is sent anew, and local has the edit`() async throws {
    let evocation = evocation()
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    _ = await evocation.outbox.flush()
    let entry = try await evocation.outbox.entries(of: Draft.self, id: 1)[0]
    await #expect(throws: EvocationError.differentModel(model: "Draft")) {
      try await evocation.outbox.resend(entry, as: Draft(id: 2, title: "b"))
    }
    try await evocation.outbox.resend(entry, as: Draft(id: 1, title: "b"))
    #expect(try await local.find(Criteria()).value.map(\.title) == ["b"])
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(Set(service.keys).count == 2)
    await #expect(throws: EvocationError.entryNotFound(id: entry.id)) {
      try await evocation.outbox.retry(entry)
    }
  }

  @Test func `a discarded edit gives local back what the remote has`() async throws {
    let theirs = Draft(id: 1, title: "theirs")
    _ = try await local.store([theirs])
    _ = try await service.models.store([theirs])
    let evocation = evocation()
    _ = await evocation.updateOne(Draft(id: 1, title: "mine"))
    let entry = try await evocation.outbox.entries(of: Draft.self)[0]
    #expect(entry.base == theirs)
    try await evocation.outbox.discard(entry)
    #expect(try await local.find(Criteria()).value == [theirs])
    _ = await evocation.removeOne(theirs)
    try await evocation.outbox.discard(evocation.outbox.entries(of: Draft.self)[0])
    #expect(try await local.find(Criteria()).value == [theirs])
  }

  /// A remote whose reads wait, too.
  private struct SlowReads: ForwardingRepository {
    let base: StubbornRemote
    let reading = Gate()

    func find(_ criteria: Criteria) async throws -> Response<[Draft]> {
      if criteria.predicate == nil { try await reading.pass() }
      return try await base.find(criteria)
    }
  }

  @Test func `what was discarded and arrives all the same is shown as the remote has it`()
    async throws
  {
    let (old, new) = (Draft(id: 1, title: "old"), Draft(id: 1, title: "new"))
    let (remote, writing) = (SlowReads(base: StubbornRemote([old])), Gate())
    remote.base.gate.withLock { $0 = writing }
    _ = try await local.store([old])
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Draft.self).repository(remote: remote).repository(local: local)
      .strategy(
        try Strategy(
          reads: .init(target: .remote), writes: .init(target: .local, synchronize: .outbox))
      )
    _ = await evocation.updateOne(new)
    let flush = Task { await evocation.outbox.flush() }
    await writing.arrivals(1)
    try await evocation.outbox.discard(evocation.outbox.entries(of: Draft.self)[0])
    #expect(try await local.find(Criteria()).value == [old])
    // A read that is under way when the late answer comes.
    let read = Task { await evocation.find(model: Draft.self) }
    await remote.reading.arrivals(1)
    writing.open()
    _ = await flush.value
    // The flush does not wait for a repository that ignores its cancellation.
    try await eventually("the late write") { remote.base.underWay.withLock { $0 } == 0 }
    remote.reading.open()
    #expect(await read.value.data == [new])
  }

  @Test func `events tell what became of each write`() async throws {
    let evocation = evocation(sends: true)
    var events = evocation.outbox.events().makeAsyncIterator()
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    var seen: [String] = []
    while seen.count < 2, let event = await events.next() {
      switch event {
      case .queued(let subject): seen.append("queued \(subject.model) \(subject.modelID)")
      case .parked(let subject): seen.append("parked \(subject.modelID)")
      default: seen.append("\(event)")
      }
    }
    #expect(Set(seen) == ["queued Draft 1", "parked 1"])
    let entry = try await evocation.outbox.entries(of: Draft.self)[0]
    try await evocation.outbox.retry(entry)
    let sent = await Outbox.next(&events) { if case .sent = $0 { true } else { false } }
    #expect(sent == .sent(Outbox.Subject(model: "Draft", modelID: "1", entry: entry.id)))
  }

  @Test func `states of models follow what happens to their entries`() async throws {
    let evocation = evocation()
    var states = evocation.outbox.syncStates(of: Draft.self).makeAsyncIterator()
    #expect(await states.next() == [:])
    service.fail(SendFailure(.permanent))
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await states.next() == [1: .pending])
    _ = await evocation.outbox.flush()
    guard case .parked? = await states.next()?[1] else {
      Issue.record("It is not parked.")
      return
    }
  }

  @Test func `no more instances are sent at once than allowed, and all of these side by side`()
    async throws
  {
    let (evocation, gate) = (evocation(concurrency: 3), Gate())
    for id in 1...12 { _ = await evocation.storeOne(Draft(id: id, title: "a")) }
    let counted = CountingRemote(service, gate)
    try evocation.proxy(for: Draft.self).repository(remote: counted)
    let flush = Task { await evocation.outbox.flush() }
    // A service is asked by one first, and by more with each that succeeds.
    for _ in 1...4 {
      gate.letOneThrough()
      await Task.yield()
    }
    #expect(await gate.arrivals(7))
    gate.open()
    #expect(await flush.value.left == 0)
    #expect(counted.most.withLock { $0 } == 3)
  }

  @Test func `an outbox whose model type is registered anew goes on, and a flush ends`()
    async throws
  {
    let evocation = evocation()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    evocation.register(for: Draft.self).repository(remote: service)
      .repository(local: local).strategy(.offlineFirst)
    _ = await evocation.storeOne(Draft(id: 2, title: "b"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(service.notes.count == 2)
  }
}

/// Counts how many requests run at once.
final class CountingRemote: Repository {
  private let service: NotingService
  private let gate: Gate
  private let running = Lock(0)
  let most = Lock(0)

  init(_ service: NotingService, _ gate: Gate) {
    self.service = service
    self.gate = gate
  }

  private func count<Value>(_ body: () async throws -> Value) async throws -> Value {
    let now = running.withLock {
      $0 += 1; return $0
    }
    most.withLock { $0 = max($0, now) }
    defer { running.withLock { $0 -= 1 } }
    try await gate.pass()
    return try await body()
  }

  func find(_ criteria: Criteria) async throws -> Response<[Draft]> {
    try await service.find(criteria)
  }
  func store(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await count { try await service.store(models) }
  }
  func update(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await count { try await service.update(models) }
  }
  func storeOrUpdate(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await count { try await service.storeOrUpdate(models) }
  }
  func remove(_ models: [Draft]) async throws -> Response<[Draft]> {
    try await count { try await service.remove(models) }
  }
}
