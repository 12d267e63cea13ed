import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

@Suite(.timeLimit(.minutes(30)))
struct OutboxBadInputTests {
  let service = NotingService()
  let local = InMemoryRepository<Draft>()
  let clock = ManualClock(date: Date(timeIntervalSinceReferenceDate: 700_000_000))

  func evocation(
    sends: Bool = false, remote: (any Repository<Draft>)? = nil, lease: Duration = .seconds(15)
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(sendsAutomatically: sends, lease: lease)))
    let proxy = evocation.register(for: Draft.self)
    if let remote { proxy.repository(remote: remote) } else { proxy.repository(remote: service) }
    proxy.repository(local: local).strategy(.offlineFirst)
    return evocation
  }

  @Test
  func `what a service has taken and then does not have is not sent again, and a fetch says so`()
    async throws
  {
    let remote = RepositoryMock<Draft> { call in
      if case .storeOne(let draft) = call { [draft] } else { [] }
    }
    let evocation = evocation(remote: remote)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    let cache = evocation.cache(Draft.self, maxAge: .zero)
    cache.requirements = Criteria()
    _ = try await cache.refresh(force: true)
    #expect(try await local.find(Criteria()).value == [])
    #expect(await evocation.outbox.flush().sent == 0)
  }

  @Test func `an answer of another model is not kept, and what was sent stays`() async throws {
    let remote = RepositoryMock<Draft> { call in
      switch call {
      case .updateOne: [Draft(id: 9, title: "other")]
      default: [Draft(id: 1, title: "a")]
      }
    }
    _ = try await local.store([Draft(id: 1, title: "a")])
    let evocation = evocation(remote: remote)
    var events = evocation.outbox.events().makeAsyncIterator()
    _ = await evocation.updateOne(Draft(id: 1, title: "b"))
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await local.find(Criteria()).value == [Draft(id: 1, title: "b")])
    let sent = await Outbox.next(&events) { if case .sent = $0 { true } else { false } }
    guard case .sent(let subject)? = sent else { return }
    #expect(subject.reason == "The server answered with a model that has another id.")
  }

  @Test func `an update of a model with another id is one of another instance`() async throws {
    _ = try await local.store([Draft(id: 1, title: "a")])
    let evocation = evocation()
    let result = await evocation.updateOne(Draft(id: 2, title: "b"))
    #expect(!result.isPending)
    #expect(try await local.find(Criteria()).value == [Draft(id: 1, title: "a")])
    #expect(try await evocation.outbox.status().pending == 0)
  }

  @Test func `a remote that cancels itself is tried again later, and not at once and for ever`()
    async throws
  {
    service.fail(CancellationError(), CancellationError())
    let evocation = evocation(sends: true)
    var events = evocation.outbox.events().makeAsyncIterator()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await Outbox.next(&events) { if case .willRetry = $0 { true } else { false } }
    #expect(try await evocation.outbox.entries(of: Draft.self).map(\.attempts) == [1])
    #expect(service.notes.count == 1)
    try await clock.advance(untilSentBy: evocation.outbox)
    #expect(service.notes.count == 3)
  }

  @Test(arguments: [-400 * 86_400.0, 400 * 86_400.0])
  func `a date that jumps neither loses nor holds up what waits`(jump: Double) async throws {
    service.fail(SendFailure(.transient))
    let evocation = evocation(sends: true)
    var events = evocation.outbox.events().makeAsyncIterator()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    await Outbox.next(&events) { if case .willRetry = $0 { true } else { false } }
    clock.setDate(clock.date.addingTimeInterval(jump))
    let start = clock.now
    _ = await evocation.storeOne(Draft(id: 2, title: "b"))
    try await clock.advance(untilSentBy: evocation.outbox)
    #expect(start.duration(to: clock.now) < .seconds(7_200))
    #expect(service.notes.count == 3)
  }

  @Test func `a lease of a process that was killed is relieved when it ends, and not before`()
    async throws
  {
    let evocation = evocation(sends: true)
    let until = clock.date.addingTimeInterval(15)
    try await local.transact(isShort: true) { transaction in
      try transaction.entries.setLease(
        OutboxLease(holder: "killed", until: until, length: .seconds(15)))
    }
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    // A flush sends whatever may be sent at its time, and ends after that.
    #expect(await evocation.outbox.flush().left == 1)
    for _ in 0..<149 {
      clock.advance(by: .milliseconds(100))
      #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
    }
    #expect(service.notes == [])
    clock.advance(by: .milliseconds(100))
    await evocation.outbox.wait { $0.pending == 0 }
    #expect(service.notes == ["store 1 a"])
    let lease = try await local.look(isShort: true) { try $0.entries.lease }
    #expect(lease?.holder == evocation.outbox.holder)
  }

  @Test
  func `a lease that lasts longer than any was written by a clock set back, and is taken over`()
    async throws
  {
    let until = clock.date.addingTimeInterval(86_400)
    try await local.transact(isShort: true) { transaction in
      try transaction.entries.setLease(
        OutboxLease(holder: "killed", until: until, length: .seconds(15)))
    }
    let evocation = evocation()
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await evocation.outbox.flush().left == 0)
  }

  /// Looks through the store with a date that was read before the transaction began.
  private func look(
    at date: Date, inTransactionAt present: Date
  ) async throws
    -> OutboxMachine.Found
  {
    let look = EntryLook(
      holder: "me", lease: .seconds(10), now: .zero, date: date, present: { present },
      longestWait: .seconds(60), few: 8, beginTurn: { false },
      reserve: { _, _ in .full })
    return try await local.transact(isShort: true) { transaction in
      var items: [OutboxMachine.Item] = []
      return try look.run(
        .init(
          forEntries: true, from: .min, atOnce: false, asksWhetherHeld: false, release: false),
        in: transaction.entries, taking: &items)
    }
  }

  @Test func `a lease is believed for as long as it lasts in the store, and no longer`()
    async throws
  {
    _ = await evocation().storeOne(Draft(id: 1, title: "a"))
    func lease(at date: Date) async throws -> Duration? {
      guard case .looked(let lease, _, _) = try await look(at: date, inTransactionAt: date) else {
        return nil
      }
      return lease
    }
    #expect(try await lease(at: clock.date) == .seconds(10))
    #expect(try await lease(at: clock.date.addingTimeInterval(3)) == .seconds(7))
    #expect(try await lease(at: clock.date.addingTimeInterval(5)) == .seconds(10))
  }

  @Test func `what a process was sending when it was killed is found when its lease has ended`()
    async throws
  {
    _ = await evocation().storeOne(Draft(id: 1, title: "a"))
    func taken(by holder: String, after seconds: Double) async throws -> [Int64] {
      let date = clock.date.addingTimeInterval(seconds)
      let look = EntryLook(
        holder: holder, lease: .seconds(10), now: .zero, date: date, present: { date },
        longestWait: .seconds(60), few: 8, beginTurn: { false },
        reserve: { row, _ in
          .taken(
            .init(
              instance: .init(store: ObjectIdentifier(local), reference: row.instance),
              position: row.position, id: row.id, isRepeated: row.wasAttempted))
        })
      return try await local.transact(isShort: true) { transaction in
        var items: [OutboxMachine.Item] = []
        _ = try look.run(
          .init(
            forEntries: true, from: nil, atOnce: false, asksWhetherHeld: false,
            release: false), in: transaction.entries, taking: &items)
        return items.map(\.position)
      }
    }
    let sent = try await taken(by: "killed", after: 0)
    #expect(sent.count == 1)
    #expect(try await taken(by: "killed", after: 1).isEmpty)
    #expect(try await taken(by: "me", after: 2).isEmpty)
    #expect(try await taken(by: "me", after: 20) == sent)
    #expect(try await taken(by: "me", after: 21).isEmpty)
  }

  @Test func `a lease that another took while this process waited for the store is its own`()
    async throws
  {
    _ = await evocation().storeOne(Draft(id: 1, title: "a"))
    let (began, taken) = (clock.date, clock.date.addingTimeInterval(20))
    try await local.transact(isShort: true) { transaction in
      try transaction.entries.setLease(
        OutboxLease(
          holder: "other", until: taken.addingTimeInterval(10), length: .seconds(10)))
    }
    guard case .denied(let rest) = try await look(at: began, inTransactionAt: taken) else {
      Issue.record("It took the lease of another process.")
      return
    }
    #expect(rest == .seconds(10))
  }

  @Test func `a resolver that throws has the entry parked, with both reasons`() async throws {
    struct Confused: Error, CustomStringConvertible { let description = "No idea." }
    _ = try await service.models.store([Draft(id: 1, title: "theirs")])
    let evocation = evocation()
    try evocation.proxy(for: Draft.self).conflicts { _ in throw Confused() }
    _ = await evocation.storeOne(Draft(id: 1, title: "mine"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 1))
    guard
      case .parked(.conflict, let reason)? = try await evocation.outbox.entries(of: Draft.self)
        .first?.state
    else {
      Issue.record("It is not parked.")
      return
    }
    #expect(reason.hasSuffix("No idea."))
  }

  @Test func `a flush has what the app decides soon, however many others are on their way`()
    async throws
  {
    _ = try await service.models.store([Draft(id: 1, title: "theirs")])
    let (evocation, asked) = (evocation(), Gate())
    try evocation.proxy(for: Draft.self).conflicts { _ in
      try await asked.pass()
      return .theirs
    }
    for id in 1...3 { _ = await evocation.storeOne(Draft(id: id, title: "mine")) }
    let flush = Task { await evocation.outbox.flush() }
    #expect(await asked.arrivals(1))
    await evocation.outbox.wait { $0.pending == 1 }
    clock.advance(by: .milliseconds(1_900))
    asked.open()
    #expect(await flush.value == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(try await local.find(["id": 1]).value == [Draft(id: 1, title: "theirs")])
  }

  @Test func `a resolver that never answers holds up its instance alone, until that is discarded`()
    async throws
  {
    let theirs = Draft(id: 1, title: "theirs")
    _ = try await service.models.store([theirs])
    let evocation = evocation()
    let asked = Gate()
    try evocation.proxy(for: Draft.self).conflicts { _ in
      try await asked.pass()
      // It does not heed cancellation either.
      return await Promise<Outbox.Resolution<Draft>>().value
    }
    asked.open()
    _ = await evocation.storeOne(Draft(id: 1, title: "mine"))
    for id in 2...5 { _ = await evocation.storeOne(Draft(id: id, title: "a")) }
    let result = Lock<Outbox.FlushResult?>(nil)
    let flush = Task {
      let flushed = await evocation.outbox.flush()
      result.withLock { $0 = flushed }
    }
    await clock.advance(by: .milliseconds(20)) { result.withLock { $0 } != nil }
    await flush.value
    #expect(
      result.withLock { $0 } == Outbox.FlushResult(sent: 4, left: 1, parked: 0))
    _ = await evocation.updateOne(Draft(id: 1, title: "later"))
    #expect(await evocation.outbox.flush().left == 2)
    try await evocation.outbox.discard(evocation.outbox.entries(of: Draft.self, id: 1)[0])
    _ = await evocation.storeOrUpdate([Draft(id: 1, title: "again")])
    try await eventually("the outbox to be empty") { await evocation.outbox.flush().left == 0 }
    #expect(try await service.models.find(["id": 1]).value == [Draft(id: 1, title: "again")])
  }

  @Test func `a conflict that comes again and again is parked in the end`() async throws {
    let evocation = evocation()
    try evocation.proxy(for: Draft.self).conflicts { _ in .mine }
    for _ in 0..<20 { service.fail(EvocationError.alreadyExists(["1"])) }
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 1))
    #expect(service.notes.count == 6)
  }
}
