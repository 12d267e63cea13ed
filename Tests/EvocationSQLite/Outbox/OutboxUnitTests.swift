import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Several writes that are made as one.
@Suite(.patient) struct OutboxUnitTests {
  enum Local: CaseIterable, Sendable { case memory, file }

  /// What stands on a memo.
  struct Mark: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var memoID: Int
  }

  /// An app with two models, and what its services were asked for, in order.
  private struct App {
    let evocation: Evocation
    let memos: any OutboxStore<Memo>
    let marks: any OutboxStore<Mark>
    let database: SQLiteDatabase?
    let journal: Lock<[String]>

    func held() async throws -> [String] {
      let memos = try await memos.find(Criteria().sorted(by: "id")).value.map { "memo \($0.id)" }
      return memos
        + (try await marks.find(Criteria().sorted(by: "id")).value.map { "mark \($0.id)" })
    }
  }

  private let folder: TemporaryFolder
  private let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  /// `refuses` says which request fails, and how.
  private func app(
    _ local: Local, sendsAfter: Bool = true,
    refuses: @escaping @Sendable (String) throws -> Void = { _ in }
  ) throws -> App {
    let journal = Lock<[String]>([])
    @Sendable func arrive(_ kind: Outbox.EntryKind, _ name: String) throws {
      try refuses("\(kind) \(name)")
      journal.withLock { $0.append("\(kind) \(name)") }
    }
    let remoteMemos = ScriptedService<Memo> { request, _ in
      try arrive(request.kind, "memo \(request.model.id)")
      return nil
    }
    let remoteMarks = ScriptedService<Mark> { request, _ in
      try arrive(request.kind, "mark \(request.model.id)")
      return nil
    }
    var (memos, marks): (any OutboxStore<Memo>, any OutboxStore<Mark>) = (
      InMemoryRepository<Memo>(), InMemoryRepository<Mark>()
    )
    var database: SQLiteDatabase?
    if local == .file {
      let opened = try SQLiteDatabase(path: folder.path())
      (memos, marks) = (
        try SQLiteRepository<Memo>(opened), try SQLiteRepository<Mark>(opened)
      )
      database = opened
    }
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Memo.self).repository(remote: remoteMemos).repository(local: memos)
      .strategy(.offlineFirst)
    let proxy = evocation.register(for: Mark.self).repository(remote: remoteMarks)
      .repository(local: marks).strategy(.offlineFirst)
    if sendsAfter { proxy.sends(after: Memo.self, by: \.memoID) }
    return App(
      evocation: evocation, memos: memos, marks: marks, database: database, journal: journal)
  }

  @Test(arguments: Local.allCases, [true, false])
  func `writes made together are kept as one, and sent in the order in which they were made`(
    local: Local, isJoined: Bool
  ) async throws {
    let app = try app(local, sendsAfter: isJoined)
    let delivery = try await app.evocation.together { writes in
      try await writes.storeOne(Mark(id: 9, memoID: 9))
      try await writes.store([Memo(id: 2), Memo(id: 1)])
      try await writes.storeOrUpdate([Mark(id: 1, memoID: 1)])
      try await writes.updateOne(Memo(id: 2, title: "new"))
      try await writes.removeOne(Mark(id: 9, memoID: 9))
    }
    #expect(try await app.held() == ["memo 1", "memo 2", "mark 1"])
    #expect(try await app.evocation.outbox.status().pending == 6)
    #expect(
      await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 6, left: 0, parked: 0))
    #expect(
      app.journal.withLock { $0 } == [
        "store mark 9", "store memo 2", "store memo 1", "storeOrUpdate mark 1", "update memo 2",
        "remove mark 9",
      ])
    #expect(await delivery.value() == .delivered)
  }

  @Test(arguments: Local.allCases)
  func `nothing is kept where the closure throws, or one of the writes cannot be made`(
    local: Local
  ) async throws {
    let app = try app(local)
    _ = await app.evocation.storeOne(Memo(id: 7))
    await #expect(throws: Refused.self) {
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(Memo(id: 1))
        throw Refused(.permanent)
      }
    }
    await #expect(throws: EvocationError.alreadyExists(["7"])) {
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(Mark(id: 1, memoID: 7))
        try await writes.storeOne(Memo(id: 1))
        try await writes.storeOne(Memo(id: 7))
      }
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await app.evocation.together { try await $0.storeOne(Memo(id: 2)) }
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try await app.held() == ["memo 7"])
    #expect(try await app.evocation.outbox.status().pending == 1)
  }

  @Test(arguments: Local.allCases)
  func `none of a unit is sent before all can be, and others are not held up by it`(
    local: Local
  )
    async throws
  {
    let isRefusing = Lock(true)
    let app = try app(local) { request in
      if request == "store mark 5", isRefusing.withLock({ $0 }) { throw Refused(.permanent) }
    }
    _ = await app.evocation.storeOne(Mark(id: 5, memoID: 5))
    #expect(await app.evocation.outbox.flush().parked == 1)
    let delivery = try await app.evocation.together { writes in
      try await writes.storeOne(Memo(id: 1))
      try await writes.storeOne(Memo(id: 2))
      try await writes.updateOne(Mark(id: 5, memoID: 2))
    }
    _ = await app.evocation.storeOne(Memo(id: 3))
    _ = await app.evocation.updateOne(Memo(id: 2, title: "behind the unit"))
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 4, parked: 1))
    #expect(app.journal.withLock { $0 } == ["store memo 3"])
    isRefusing.withLock { $0 = false }
    let parked = try #require(try await app.evocation.outbox.entries(of: Mark.self).first)
    try await app.evocation.outbox.retry(parked)
    #expect(await app.evocation.outbox.flush().left == 0)
    let (behind, order) = app.journal.withLock { journal in
      (journal.firstIndex(of: "update memo 2"), journal.filter { $0 != "update memo 2" })
    }
    #expect(
      order == ["store memo 3", "store mark 5", "store memo 1", "store memo 2", "update mark 5"])
    // It waits for what it is on, and not for the rest of the unit.
    #expect(behind.map { $0 >= 4 } == true)
    #expect(await delivery.value() == .delivered)
  }

  @Test(arguments: Local.allCases)
  func `one that is refused parks those after it, and all that is left is sent again together`(
    local: Local
  ) async throws {
    let isRefusing = Lock(true)
    let app = try app(local) { request in
      if request == "store memo 2", isRefusing.withLock({ $0 }) { throw Refused(.permanent) }
    }
    let delivery = try await app.evocation.together { writes in
      for id in 1...3 { try await writes.storeOne(Memo(id: id)) }
      try await writes.storeOne(Mark(id: 1, memoID: 1))
    }
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 3))
    guard case .parked(let failure) = await delivery.value(), failure.kind == .permanent else {
      Issue.record("The unit is not parked.")
      return
    }
    // Any of them stands for the unit.
    let mark = try #require(try await app.evocation.outbox.entries(of: Mark.self).first)
    #expect(mark.attempts == 0)
    isRefusing.withLock { $0 = false }
    try await app.evocation.outbox.retry(mark)
    #expect(try await app.evocation.outbox.status().parked == 0)
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 3, left: 0, parked: 0))
    #expect(
      app.journal.withLock { $0 } == [
        "store memo 1", "store memo 2", "store memo 3", "store mark 1",
      ])
    #expect(await delivery.value() == .delivered)
  }

  @Test(arguments: Local.allCases)
  func `a unit whose refused write is edited is sent again as a whole`(local: Local) async throws {
    let app = try app(local) { request in
      if request.hasSuffix("memo 2") { throw Refused(.permanent) }
    }
    let delivery = try await app.evocation.together { writes in
      for id in 1...3 { try await writes.storeOne(Memo(id: id)) }
    }
    _ = await app.evocation.outbox.flush()
    let entries = try await app.evocation.outbox.entries(of: Memo.self)
    #expect(entries.map(\.isParkedNow) == [true, true])
    try await app.evocation.outbox.resend(entries[1], as: Memo(id: 3, title: "mended"))
    #expect(
      try await app.evocation.outbox.entries(of: Memo.self).map(\.isParkedNow) == [
        false, false,
      ])
    try await app.evocation.outbox.discard(entries[0])
    #expect(await delivery.value() == .discarded)
  }

  @Test(arguments: Local.allCases)
  func `a unit is discarded as a whole, with what is behind it, and local gets back what was`(
    local: Local
  ) async throws {
    let app = try app(local)
    _ = await app.evocation.store([Memo(id: 1), Memo(id: 2)])
    _ = await app.evocation.outbox.flush()
    let delivery = try await app.evocation.together { writes in
      try await writes.updateOne(Memo(id: 1, title: "one"))
      try await writes.removeOne(Memo(id: 2))
      try await writes.storeOne(Mark(id: 1, memoID: 1))
      try await writes.updateOne(Memo(id: 1, title: "two"))
    }
    _ = await app.evocation.updateOne(Mark(id: 1, memoID: 2))
    let other = try await app.evocation.together { writes in
      try await writes.updateOne(Mark(id: 1, memoID: 1))
      try await writes.storeOne(Memo(id: 3))
    }
    _ = await app.evocation.storeOne(Memo(id: 4))
    let entry = try #require(
      try await app.evocation.outbox.entries(of: Memo.self, id: 2).first)
    try await app.evocation.outbox.discard(entry)
    #expect(try await app.held() == ["memo 1", "memo 2", "memo 4"])
    #expect(try await app.memos.find(["id": 1]).value == [Memo(id: 1)])
    #expect(await delivery.value() == .discarded)
    #expect(await other.value() == .discarded)
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(app.journal.withLock { $0.last } == "store memo 4")
  }

  @Test(arguments: Local.allCases)
  func `a unit that a failure stops half-way goes on there, before what was written later`(
    local: Local
  ) async throws {
    let failures = Lock(1)
    let app = try app(local) { request in
      guard request == "update memo 1" else { return }
      let fails = failures.withLock { count in
        defer { count -= 1 }
        return count > 0
      }
      if fails { throw Refused(.transient) }
    }
    _ = try await app.evocation.together { writes in
      try await writes.storeOne(Memo(id: 1))
      try await writes.updateOne(Memo(id: 1, title: "one"))
      try await writes.storeOne(Memo(id: 2))
    }
    #expect(await app.evocation.outbox.flush().left == 2)
    _ = await app.evocation.updateOne(Memo(id: 2, title: "later"))
    #expect(await app.evocation.outbox.flush().left == 0)
    #expect(
      app.journal.withLock { $0 } == [
        "store memo 1", "update memo 1", "store memo 2", "update memo 2",
      ])
  }

  @Test func `a unit is one after a restart too, and what becomes of it can be asked for`()
    async throws
  {
    let app = try app(.file) { request in
      if request == "store memo 2" { throw Refused(.permanent) }
    }
    let id = try await app.evocation.together { writes in
      try await writes.storeOne(Memo(id: 1))
      try await writes.storeOne(Memo(id: 2))
      try await writes.storeOne(Mark(id: 1, memoID: 1))
    }.id
    _ = await app.evocation.updateOne(Mark(id: 1, memoID: 2))
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 1, parked: 2))
    await app.database?.close()
    clock.advance(by: .seconds(20))
    let again = try self.app(.file)
    let delivery = try #require(try await again.evocation.outbox.delivery(id: id))
    guard case .parked = await delivery.value() else {
      Issue.record("The unit is not parked.")
      return
    }
    let mark = try #require(try await again.evocation.outbox.entries(of: Mark.self).first)
    try await again.evocation.outbox.retry(mark)
    #expect(await again.evocation.outbox.flush().left == 0)
    #expect(
      again.journal.withLock { $0 } == ["store memo 2", "store mark 1", "update mark 1"])
    #expect(await delivery.value() == .delivered)
    await again.database?.close()
  }

  @Test func `units on the same models do not wait for each other for ever`() async throws {
    let app = try app(.file)
    await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          _ = try await app.evocation.together { writes in
            if number.isMultiple(of: 2) {
              try await writes.storeOne(Memo(id: number))
              try await writes.storeOne(Mark(id: number, memoID: number))
            } else {
              try await writes.storeOne(Mark(id: number, memoID: number))
              try await writes.storeOne(Memo(id: number))
            }
          }
        }
      }
    }
    #expect(try await app.evocation.outbox.status().pending == 80)
    #expect(await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 80, left: 0, parked: 0))
    await app.database?.close()
  }

  @Test func `a unit waits for a write that is under way on one of its models`() async throws {
    let gate = Gate()
    let service = ScriptedService([Memo(id: 1)]) { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
    let local = InMemoryRepository([Memo(id: 1)])
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    let direct = Task {
      await evocation.updateOne(
        Memo(id: 1, title: "first"), rule: .init(target: .remote, synchronize: .upsert))
    }
    #expect(await gate.arrivals(1))
    let unit = Task {
      try await evocation.together { try await $0.updateOne(Memo(id: 1, title: "second")) }
    }
    // What does not wait is kept soon.
    for _ in 0..<1_000 where try await local.find(Criteria()).value == [Memo(id: 1)] {
      await Task.yield()
    }
    gate.open()
    #expect(await direct.value.error == nil)
    _ = try await unit.value
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(entry.base == Memo(id: 1, title: "first"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(try await service.all == [Memo(id: 1, title: "second")])
  }

  @Test func `what cannot belong to a unit is refused by name, and nothing is kept`() async throws {
    let app = try app(.file)
    let elsewhere = Evocation.flushedByHand()
    elsewhere.register(for: Memo.self).repository(local: app.memos).strategy(.offlineFirst)
    elsewhere.register(for: Mark.self).repository(local: InMemoryRepository<Mark>())
      .strategy(.offlineFirst)
    await #expect(throws: EvocationError.separateStores(model: "Mark", other: "Memo")) {
      _ = try await elsewhere.together { writes in
        try await writes.storeOne(Memo(id: 1))
        try await writes.storeOne(Mark(id: 1, memoID: 1))
      }
    }
    elsewhere.unregister(Mark.self)
    await #expect(throws: EvocationError.proxyNotFound(model: "Mark")) {
      _ = try await elsewhere.together { try await $0.storeOne(Mark(id: 1, memoID: 1)) }
    }
    elsewhere.register(for: Mark.self).repository(remote: ScriptedService<Mark>())
    await #expect(throws: EvocationError.outboxUnavailable(model: "Mark", action: .storeOne)) {
      _ = try await elsewhere.together { try await $0.storeOne(Mark(id: 1, memoID: 1)) }
    }
    let late = Lock<Together?>(nil)
    let nothing = try await app.evocation.together { writes in late.withLock { $0 = writes } }
    #expect(await nothing.value() == .delivered)
    let error = await #expect(throws: EvocationError.self) {
      try await late.withLock { $0 }?.storeOne(Memo(id: 1))
    }
    #expect(
      error.map { "\($0)" }
        == "Your app wrote Memo after the closure of together(_:) had returned, so nothing was "
        + "written; await each write inside the closure.")
    #expect(try await app.held() == [])
    await app.database?.close()
  }

  @Test
  func `a repository that answers fewer writes than it was given has them parked, and none lost`()
    async throws
  {
    let remote = ForgetfulService()
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Memo.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Memo>()).strategy(.offlineFirst)
    _ = try await evocation.together { writes in
      try await writes.store([Memo(id: 1), Memo(id: 2), Memo(id: 3)])
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 3))
    remote.forgets.withLock { $0 = false }
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.retry(entry)
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 3, left: 0, parked: 0))
    #expect(try await remote.memos.count(Criteria()) == 3)
  }
}

extension Outbox.Entry {
  fileprivate var isParkedNow: Bool { if case .parked = state { true } else { false } }
}

/// A service that carries out several writes in one request, and loses an answer at first.
private final class ForgetfulService: UnitRepository {
  let memos = InMemoryRepository<Memo>()
  let forgets = Lock(true)

  let service = "forgetful"
  let unitSize = 10

  func prepare(_ kind: Outbox.EntryKind, _ memo: Memo) -> PreparedWrite<Memo>? {
    PreparedWrite(request: memo) { answer in
      Response(answer as? Memo, versions: [nil])
    }
  }

  func send(_ requests: [any Sendable]) async throws -> [any Sendable] {
    if forgets.withLock({ $0 }) { return Array(requests.dropLast()) }
    _ = try await memos.store(requests.compactMap { $0 as? Memo })
    return requests
  }

  func find(_ criteria: Criteria) async throws -> Response<[Memo]> {
    try await memos.find(criteria)
  }
  func store(_ memos: [Memo]) async throws -> Response<[Memo]> {
    try await self.memos.store(memos)
  }
  func update(_ memos: [Memo]) async throws -> Response<[Memo]> {
    try await self.memos.update(memos)
  }
  func storeOrUpdate(_ memos: [Memo]) async throws -> Response<[Memo]> {
    try await self.memos.storeOrUpdate(memos)
  }
  func remove(_ memos: [Memo]) async throws -> Response<[Memo]> {
    try await self.memos.remove(memos)
  }
}
