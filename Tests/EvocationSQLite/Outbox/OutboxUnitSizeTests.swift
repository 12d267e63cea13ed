import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What units of many writes cost.
@Suite(.patient) struct OutboxUnitSizeTests {
  enum Local: CaseIterable, Sendable { case memory, file }

  /// What is done with a unit.
  enum Act: CaseIterable, Sendable { case send, sendAwaited, sendBehindParked, retry, discard }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns how much the outbox asks its store for.
  private func work(_ local: Local, _ act: Act, size: Int) async throws -> Int {
    let database = local == .file ? try SQLiteDatabase(path: folder.path("\(size)")) : nil
    let base: any OutboxStore<Memo> =
      if let database { try SQLiteRepository<Memo>(database) } else { InMemoryRepository<Memo>() }
    let watched = WatchedOutbox(base)
    let isRefusing = Lock(act == .sendBehindParked || act == .retry)
    let service = ScriptedService<Memo> { _, _ in
      if isRefusing.withLock({ $0 }) { throw Refused(.permanent) }
      return nil
    }
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Memo.self).repository(remote: service).repository(local: watched)
      .strategy(.offlineFirst)
    let outbox = evocation.outbox
    if act == .sendBehindParked {
      _ = await evocation.storeOne(Memo(id: 0))
      #expect(await outbox.flush().parked == 1)
      isRefusing.withLock { $0 = false }
    }
    let memos = (1...size).map { Memo(id: $0) }
    let delivery = try await evocation.together { writes in
      try await writes.store(memos)
      if act == .sendBehindParked { try await writes.updateOne(Memo(id: 0, title: "new")) }
    }
    if act == .sendBehindParked {
      for memo in memos { _ = await evocation.storeOne(Memo(id: memo.id + size)) }
    }
    if act == .retry { #expect(await outbox.flush().parked == size) }
    let waiting = Task { act == .sendAwaited ? await delivery.value() : .delivered }
    for _ in 0..<100 { await Task.yield() }
    watched.work.withLock { $0 = 0 }
    switch act {
    case .send, .sendAwaited: #expect(await outbox.flush().sent == size)
    case .sendBehindParked: #expect(await outbox.flush().sent == size)
    case .retry:
      isRefusing.withLock { $0 = false }
      try await outbox.retry(memos[size / 2])
      #expect(await outbox.flush().sent == size)
    case .discard: try await outbox.discard(memos[size / 2])
    }
    #expect(await waiting.value == .delivered)
    let work = watched.work.withLock { $0 }
    await database?.close()
    return work
  }

  @Test(arguments: Local.allCases, Act.allCases)
  func `a unit costs in proportion to its size`(local: Local, act: Act) async throws {
    let few = try await work(local, act, size: 50)
    let many = try await work(local, act, size: 200)
    #expect(many < 8 * few, "\(few) for 50 writes, \(many) for 200")
  }
}
