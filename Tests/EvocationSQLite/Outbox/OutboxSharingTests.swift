import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import Testing

@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
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
    #expect(Set(service.served.compactMap(\.key)).count == 20)
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
    _ = await evocation.storeOne(Keeper(id: -1, name: "k"))
    _ = await evocation.storeOne(Piece(id: 1, name: "p", size: nil, owner: -1))
    _ = await evocation.storeOne(Piece(id: 2, name: "q", size: nil, owner: -1))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await localOwners.find(Criteria()).value == [Keeper(id: 100, name: "k")])
    #expect(try await localPieces.find(Criteria()).value.map(\.owner) == [100, 100])
    #expect(try await pieces.find(Criteria()).value.map(\.owner) == [100, 100])
    await database.close()
  }

  @Test func `what is to wait for entries in another file is refused, and nothing is queued`()
    async throws
  {
    let folder = try TemporaryFolder()
    let databases = try ["a.db", "b.db"].map { try SQLiteDatabase(path: folder.path($0)) }
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Keeper.self).repository(remote: IdempotentService<Keeper>())
      .repository(local: try SQLiteRepository<Keeper>(databases[0])).strategy(.offlineFirst)
    let localPieces = try SQLiteRepository<Piece>(databases[1])
    evocation.register(for: Piece.self).repository(remote: IdempotentService<Piece>())
      .repository(local: localPieces).strategy(.offlineFirst).sends(after: Keeper.self, by: \.owner)
    #expect(await evocation.storeOne(Keeper(id: -1, name: "k")).isPending)
    let refused = await evocation.storeOne(Piece(id: 1, name: "p", size: nil, owner: -1))
    #expect(
      refused.error as? EvocationError == .separateStores(model: "Piece", other: "Keeper"))
    #expect(
      refused.error.map { "\($0)" }
        == "The writes of Piece cannot wait for those of Keeper, because their local repositories "
        + "use different files; put both models into one database, or remove sends(after:) and "
        + "together(_:)."
    )
    #expect(try await localPieces.find(Criteria()).value.isEmpty)
    #expect(try await localPieces.look(isShort: true) { try $0.isEmpty })
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
