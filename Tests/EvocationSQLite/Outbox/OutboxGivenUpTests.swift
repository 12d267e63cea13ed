import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What whoever waits for a write hears when the app gives it up.
@Suite(.patient) struct OutboxGivenUpTests {
  enum Local: CaseIterable, Sendable { case memory, file }

  /// How the app gives a write up.
  enum Ways: CaseIterable, Sendable {
    case discardOfEntry, discardOfModel, settle, signOut, removal, resolver
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// An app whose local repository may hold transactions when they are committed.
  private struct App {
    let evocation: Evocation
    let local: WatchedOutbox<Memo>
    let database: SQLiteDatabase?
    /// What transactions wait for once the resolver has answered.
    let resolved: Lock<Gate?>

    func give(up way: Ways) async throws {
      let outbox = evocation.outbox
      switch way {
      case .discardOfEntry:
        if let entry = try await outbox.entries(of: Memo.self).first {
          try await outbox.discard(entry)
        }
      case .discardOfModel: try await outbox.discard(Memo())
      case .settle: try await outbox.settle(.discard)
      case .signOut: try await evocation.signOut(.discard)
      case .removal: _ = await evocation.removeOne(Memo())
      case .resolver: _ = await outbox.flush()
      }
    }
  }

  private func app(_ local: Local) throws -> App {
    let database = local == .file ? try SQLiteDatabase(path: folder.path()) : nil
    let base: any OutboxStore<Memo> =
      if let database { try SQLiteRepository<Memo>(database) } else { InMemoryRepository<Memo>() }
    let held = WatchedOutbox(base)
    let (evocation, resolved) = (Evocation.flushedByHand(), Lock<Gate?>(nil))
    let service = ScriptedService<Memo> { _, _ in throw Refused(.conflict) }
    evocation.register(for: Memo.self).repository(remote: service).repository(local: held)
      .strategy(.offlineFirst).conflicts { _ in
        let gate = resolved.withLock { $0 }
        held.gate.withLock { $0 = gate }
        return .theirs
      }
    return App(evocation: evocation, local: held, database: database, resolved: resolved)
  }

  @Test(arguments: Local.allCases, Ways.allCases)
  func `who waits for a write that is given up hears so, as soon as its entry is gone`(
    local: Local, way: Ways
  ) async throws {
    let app = try app(local)
    let delivery = try #require(await app.evocation.storeOne(Memo()).delivery)
    let waiting = Task { await delivery.value() }
    for _ in 0..<100 { await Task.yield() }
    let gate = Gate()
    // What a transaction does before its return has to be enough.
    (way == .resolver ? app.resolved : app.local.gate).withLock { $0 = gate }
    let giving = Task { try await app.give(up: way) }
    #expect(await waiting.value == .discarded)
    #expect(await delivery.value() == .discarded)
    gate.open()
    try await giving.value
    #expect(await delivery.value() == .discarded)
    await app.database?.close()
  }

  /// What a write does when the user signs out.
  enum Moment: CaseIterable, Sendable { case waits, isSent, isParked }

  @Test(arguments: Moment.allCases, [false, true])
  func `a sign-out that discards tells whoever waits, of a file too`(
    moment: Moment, isAskedBefore: Bool
  ) async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let (local, gate) = (try SQLiteRepository<Memo>(database), Gate())
    let service = ScriptedService<Memo> { _, _ in
      if moment == .isSent { try await gate.pass() }
      throw Refused(.permanent)
    }
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    let delivery = try #require(await evocation.storeOne(Memo()).delivery)
    let waiting = Task { moment == .isParked ? .discarded : await delivery.value() }
    if !isAskedBefore { waiting.cancel() }
    var flush: Task<Outbox.FlushResult, Never>?
    switch moment {
    case .waits: break
    case .isSent:
      flush = Task { await evocation.outbox.flush() }
      #expect(await gate.arrivals(1))
    case .isParked: #expect(await evocation.outbox.flush().parked == 1)
    }
    try await evocation.signOut(.discard)
    #expect(await waiting.value == .discarded)
    #expect(await delivery.value() == .discarded)
    // The next user's write may have the same id, and a number that is free again.
    evocation.outbox.resume()
    let next = try #require(await evocation.storeOne(Memo()).delivery)
    #expect(await delivery.value() == .discarded)
    gate.open()
    _ = await flush?.value
    _ = await evocation.outbox.flush()
    #expect(await delivery.value() == .discarded)
    guard case .parked = await next.value() else {
      Issue.record("The next user's write is not parked.")
      return
    }
    await database.close()
  }

  @Test(arguments: Local.allCases)
  func `a write whose discard fails is not given up`(local: Local) async throws {
    let app = try app(local)
    let delivery = try #require(await app.evocation.storeOne(Memo()).delivery)
    let entry = try #require(try await app.evocation.outbox.entries(of: Memo.self).first)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await app.evocation.outbox.discard(entry)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let service = ScriptedService<Memo>()
    try app.evocation.proxy(for: Memo.self).repository(remote: service)
    #expect(await app.evocation.outbox.flush().sent == 1)
    #expect(await delivery.value() == .delivered)
    await app.database?.close()
  }

  @Test func `a write that fails has taken back nothing`() async throws {
    let app = try app(.file)
    let delivery = try #require(await app.evocation.storeOne(Memo()).delivery)
    _ = await app.evocation.storeOne(Memo(id: 2))
    try await app.database?.write { access in
      try access.execute(
        "CREATE TRIGGER kept BEFORE DELETE ON memo WHEN old.id = 2 BEGIN SELECT RAISE(ABORT, ''); END"
      )
    }
    // The first removal takes a write back, and the second one cannot be made.
    #expect(await app.evocation.remove([Memo(), Memo(id: 2)]).error != nil)
    let service = ScriptedService<Memo>()
    try app.evocation.proxy(for: Memo.self).repository(remote: service)
    #expect(await app.evocation.outbox.flush().sent == 2)
    #expect(await delivery.value() == .delivered)
    await app.database?.close()
  }
}
