import EvocationSQLite
import EvocationTesting
import Foundation
import Testing

@testable import Evocation
@testable import SQLiteSupport

/// Outboxes whose entries lie in one file.
@Suite(.timeLimit(.minutes(30))) struct OutboxSharingTests {
  let clock = ManualClock(date: Date(timeIntervalSinceReferenceDate: 700_000_000))

  private func evocation(
    _ database: SQLiteDatabase, _ remote: some Repository<Piece>, sends: Bool = false
  ) throws -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: sends)))
    evocation.register(for: Piece.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Piece>(database)).strategy(.offlineFirst)
    return evocation
  }

  private func piece(_ id: Int, _ name: String = "a") -> Piece {
    Piece(id: id, name: name, size: nil, owner: nil)
  }

  @Test func `two outboxes on one file that flush at once send each entry once`() async throws {
    let folder = try TemporaryFolder()
    let databases = try (0..<2).map { _ in try SQLiteDatabase(path: folder.path()) }
    let service = IdempotentService<Piece>()
    let both = try databases.map { try evocation($0, service) }
    for id in 1...20 { _ = await both[id % 2].storeOne(piece(id)) }
    async let one = both[0].outbox.flush()
    async let two = both[1].outbox.flush()
    let sent = await one.sent + two.sent
    #expect(sent == 20)
    #expect(service.requests.count == 20)
    #expect(Set(service.requests.compactMap(\.key)).count == 20)
    for evocation in both { #expect(try await evocation.outbox.status().pending == 0) }
    for database in databases { await database.close() }
  }

  @Test func `what is written beside a slow request is sent beside it`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let gate = Gate()
    let remote = RepositoryMock<Piece> { call in
      guard case .storeOne(let piece) = call else { return [] }
      if piece.id == 1 { try await gate.pass() }
      return [piece]
    }
    let evocation = try evocation(database, remote, sends: true)
    _ = await evocation.storeOne(piece(0))
    await wait(evocation) { $0.pending == 0 }
    _ = await evocation.storeOne(piece(1))
    #expect(await gate.arrivals(1))
    for id in 2...9 {
      _ = await evocation.storeOne(piece(id))
      await wait(evocation) { $0.pending == 1 }
    }
    gate.open()
    await wait(evocation) { $0.pending == 0 }
    await database.close()
  }

  @Test func `an id of the service goes into rows and entries of the file in one transaction`()
    async throws
  {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let owners = RepositoryMock<Keeper> { call in
      if case .storeOne(let keeper) = call { [Keeper(id: 100, name: keeper.name)] } else { [] }
    }
    let pieces = IdempotentService<Piece>()
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    let localOwners = try SQLiteRepository<Keeper>(database)
    let localPieces = try SQLiteRepository<Piece>(database)
    evocation.register(for: Keeper.self).repository(remote: owners).repository(local: localOwners)
      .strategy(.offlineFirst)
    evocation.register(for: Piece.self).repository(remote: pieces).repository(local: localPieces)
      .strategy(.offlineFirst).sends(after: Keeper.self, by: \.owner)
    _ = await evocation.storeOne(Piece(id: 1, name: "p", size: nil, owner: -1))
    _ = await evocation.storeOne(Keeper(id: -1, name: "k"))
    _ = await evocation.storeOne(Piece(id: 2, name: "q", size: nil, owner: -1))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await localOwners.find(Criteria()).value == [Keeper(id: 100, name: "k")])
    #expect(try await localPieces.find(Criteria()).value.map(\.owner) == [100, 100])
    #expect(try await pieces.find(Criteria()).value.map(\.owner) == [100, 100])
    await database.close()
  }

  @Test
  func `what waits for an id in another store is sent with it, however late it can be kept`()
    async throws
  {
    let folder = try TemporaryFolder()
    let databases = try ["a.db", "b.db"].map { try SQLiteDatabase(path: folder.path($0)) }
    let (localOwners, localPieces) = (
      try SQLiteRepository<Keeper>(databases[0]), try SQLiteRepository<Piece>(databases[1])
    )
    let (pieces, keys) = (IdempotentService<Piece>(), Lock<[String?]>([]))
    let owners = RepositoryMock<Keeper> { call in
      guard case .storeOne(let keeper) = call else { return [] }
      keys.withLock { $0.append(IdempotencyKey.current) }
      return [Keeper(id: 100, name: keeper.name)]
    }
    func start() -> Evocation {
      let evocation = Evocation(
        configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Keeper.self).repository(remote: owners)
        .repository(local: localOwners).strategy(.offlineFirst)
      evocation.register(for: Piece.self).repository(remote: pieces)
        .repository(local: localPieces).strategy(.offlineFirst)
        .sends(after: Keeper.self, by: \.owner)
      return evocation
    }
    var evocation = start()
    _ = await evocation.storeOne(Keeper(id: -1, name: "k"))
    _ = await evocation.storeOne(Piece(id: 1, name: "p", size: nil, owner: -1))
    try await databases[1].write { access in
      try access.execute(
        "CREATE TRIGGER full BEFORE UPDATE ON evocation_queue_piece BEGIN SELECT RAISE(ABORT, ''); END"
      )
    }
    for _ in 1...2 {
      #expect(await evocation.outbox.flush() == .init(sent: 0, left: 2, parked: 0))
    }
    #expect(keys.withLock { $0.count } == 1)
    // As another process does, once the lease of this one has ended.
    evocation = start()
    clock.advance(by: .seconds(60))
    #expect(await evocation.outbox.flush() == .init(sent: 0, left: 2, parked: 0))
    #expect(pieces.requests.isEmpty)
    #expect(try await localPieces.find(Criteria()).value.map(\.owner) == [-1])
    try await databases[1].write { try $0.execute("DROP TRIGGER full") }
    #expect(await evocation.outbox.flush() == .init(sent: 2, left: 0, parked: 0))
    #expect(try await localOwners.find(Criteria()).value.map(\.id) == [100])
    #expect(try await localPieces.find(Criteria()).value.map(\.owner) == [100])
    #expect(try await pieces.find(Criteria()).value.map(\.owner) == [100])
    #expect(keys.withLock { Set($0).count } == 1)
    for database in databases { await database.close() }
  }

  @Test func `more than a thousand that wait for a parked instance hide nothing behind them`()
    async throws
  {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    struct Refusal: ClassifiedError { let failureKind = FailureKind.permanent }
    let pieces = IdempotentService<Piece>()
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(concurrency: 64, sendsAutomatically: false)))
    evocation.register(for: Keeper.self).repository(remote: RepositoryMock { _ in throw Refusal() })
      .repository(local: try SQLiteRepository<Keeper>(database)).strategy(.offlineFirst)
    evocation.register(for: Piece.self).repository(remote: pieces)
      .repository(local: try SQLiteRepository<Piece>(database)).strategy(.offlineFirst)
      .sends(after: Keeper.self, by: \.owner)
    for id in 1...2 { _ = await evocation.storeOne(Keeper(id: id, name: "k")) }
    #expect(await evocation.outbox.flush().parked == 2)
    _ = await evocation.store(
      (1...1_100).map { Piece(id: $0, name: "p", size: nil, owner: $0 % 2 + 1) })
    // Each is given the position of the one before it, which has gone.
    for id in 2_001...2_003 {
      _ = await evocation.storeOne(piece(id))
      #expect(await evocation.outbox.flush() == .init(sent: 1, left: 1_100, parked: 2))
    }
    await database.close()
  }

  private func wait(_ evocation: Evocation, until fits: (Outbox.Status) -> Bool) async {
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    while let status = await statuses.next(), !fits(status) {}
  }
}

struct Keeper: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var name: String
}
