import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

private struct Part: Codable, Identifiable, Sendable, Equatable {
  struct Place: Codable, Sendable, Equatable { var shelf: Int? }

  var id: Int
  var code: String
  var position: Int?
  var place = Place()
  var kind = "part"
}

/// Unique values that the service gives to other models than the file has them for.
@Suite(.patient) struct UniqueValueTests {
  private let database: SQLiteDatabase
  private let parts: SQLiteRepository<Part>

  init() throws {
    database = try SQLiteDatabase.inMemory()
    parts = try SQLiteRepository<Part>(
      database, indexes: [.unique("code"), .unique("position"), .unique("place.shelf")])
  }

  private func all() async throws -> [Part] { try await parts.find(Criteria()).value }

  /// What observers are told meanwhile: the ids of what was stored, updated and removed.
  private func told(_ body: () async throws -> Void) async throws -> [[Int]] {
    let recorder = Recorder<Part>()
    let observation = parts.observeChanges { recorder.record($0) }
    try await body()
    observation.cancel()
    guard case .models(let stored, let updated, let removed) = recorder.told.first?.extent else {
      return []
    }
    return [stored.map(\.id), updated.map(\.after.id), removed.map(\.id)]
  }

  @Test(arguments: [nil, 10], [true, false])
  func `A mirror gives a unique value to another model than the file has it for`(
    limit: Int?, isObserved: Bool
  ) async throws {
    try await parts.store([Part(id: 1, code: "a"), Part(id: 3, code: "c")])
    let criteria = limit.map { Criteria().limit($0) } ?? Criteria()
    let new = [Part(id: 2, code: "a"), Part(id: 3, code: "c", position: 1)]
    if isObserved {
      #expect(try await told { try await parts.mirror(new, for: criteria) } == [[2], [3], [1]])
    } else {
      #expect(try await parts.mirror(new, for: criteria).value.map(\.id) == [1])
    }
    #expect(try await all() == new)
  }

  @Test(arguments: [nil, 10], [2, 3, 200])
  func `A mirror of models that changed places is told as their update`(
    limit: Int?, count: Int
  ) async throws {
    let ids = 0..<count
    try await parts.store(
      ids.map { Part(id: $0, code: "\($0)", position: $0, place: .init(shelf: $0)) })
    let turned = ids.map { id in
      let next = (id + 1) % count
      return Part(id: id, code: "\(next)", position: next, place: .init(shelf: next))
    }
    let criteria = limit.map { Criteria().limit($0) } ?? Criteria()
    let changes = try await told { try await parts.mirror(turned, for: criteria) }
    #expect(changes.map { $0.sorted() } == [[], Array(ids), []])
    #expect(try await all() == turned)
    // The same without anybody who observes.
    let back = ids.map { Part(id: $0, code: "\($0)", position: $0, place: .init(shelf: $0)) }
    try await parts.mirror(back, for: criteria)
    #expect(try await all() == back)
  }

  @Test func `A mirror that a limit may have cut frees no value, and a shorter one all of them`()
    async throws
  {
    let held = (1...6).map { Part(id: $0, code: "\($0)") }
    try await parts.store(held)
    let page = [Part(id: 2, code: "1"), Part(id: 4, code: "3")]
    let error = await #expect(throws: SQLiteError.self) {
      try await parts.mirror(page, for: Criteria().limit(2))
    }
    #expect(error?.code == .constraint)
    #expect(try await all() == held)
    try await parts.mirror(page, for: Criteria().limit(3))
    #expect(try await all() == page)
  }

  @Test(arguments: [nil, 10]) func `A mirror takes no unique value from a row that stays`(
    limit: Int?
  ) async throws {
    let held = [Part(id: 1, code: "a"), Part(id: 2, code: "b"), Part(id: 3, code: "c")]
    try await parts.store(held)
    let criteria = limit.map { Criteria().limit($0) } ?? Criteria()
    let new = [Part(id: 2, code: "c"), Part(id: 3, code: "b"), Part(id: 4, code: "a")]
    let error = await #expect(throws: SQLiteError.self) {
      try await parts.mirror(new, for: criteria, keeping: [held[0]])
    }
    #expect(error?.code == .constraint)
    #expect(
      error?.description
        == "Writing the table \"part\" in memory failed: the values of part.code have to be unique, "
        + "and two rows would have the same; change one of them.")
    #expect(try await all() == held)
  }

  @Test func `Two new models with one unique value are an error, and nothing is written`()
    async throws
  {
    try await parts.store([Part(id: 1, code: "a")])
    for write in [
      { try await parts.storeOrUpdate([Part(id: 1, code: "b"), Part(id: 2, code: "b")]) },
      {
        try await parts.mirror([Part(id: 2, code: "b"), Part(id: 3, code: "b")], for: Criteria())
      },
    ] as [() async throws -> Response<[Part]>] {
      let error = await #expect(throws: SQLiteError.self) { _ = try await write() }
      #expect(error?.code == .constraint)
      #expect(try await all() == [Part(id: 1, code: "a")])
    }
  }

  @Test(arguments: [true, false])
  func `Models that change places are written by update and by storeOrUpdate`(
    isObserved: Bool
  ) async throws {
    let pair = [Part(id: 1, code: "a", position: 1), Part(id: 2, code: "b", position: 2)]
    let turned = [Part(id: 1, code: "b", position: 2), Part(id: 2, code: "a", position: 1)]
    try await parts.store(pair)
    let observation = isObserved ? parts.observeChanges { _ in } : nil
    #expect(try await parts.update(turned + [Part(id: 9, code: "z")]).value == turned)
    #expect(try await all() == turned)
    #expect(try await parts.storeOrUpdate(pair).value == pair)
    #expect(try await all() == pair)
    observation?.cancel()
  }

  @Test func `A numbering that moves on by one takes no detour`() async throws {
    try await parts.store((0..<500).map { Part(id: $0, code: "\($0)", position: $0) })
    try await database.write { db in
      try db.execute("CREATE TABLE written (position)")
      try db.execute(
        """
        CREATE TRIGGER written AFTER UPDATE ON part BEGIN INSERT INTO written VALUES (NEW.position); END
        """
      )
    }
    let moved = (0..<500).map { Part(id: $0, code: "\($0)", position: $0 + 1) }
    try await parts.mirror(moved, for: Criteria())
    #expect(try await all() == moved)
    let rows = try await database.read {
      try $0.rows("SELECT position FROM written ORDER BY position")
    }
    #expect(rows.map(\.values) == (1...500).map { [.integer($0)] })
  }

  @Test func `Rows that refer to models which change places stay`() async throws {
    let pair = [Part(id: 1, code: "a"), Part(id: 2, code: "b")]
    try await parts.store(pair)
    try await database.write { db in
      try db.execute(
        "CREATE TABLE note (part INTEGER REFERENCES part (id) ON DELETE CASCADE, text TEXT)")
      try db.execute("INSERT INTO note VALUES (1, 'one'), (2, 'two')")
    }
    try await parts.mirror([Part(id: 1, code: "b"), Part(id: 2, code: "a")], for: Criteria())
    let notes = try await database.read { try $0.rows("SELECT * FROM note ORDER BY part") }
    #expect(notes.map(\.values) == [[.integer(1), .text("one")], [.integer(2), .text("two")]])
  }

  @Test func `Models change places in a table that an app has made, with constraints of its own`()
    async throws
  {
    let database = try SQLiteDatabase.inMemory()
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, position INTEGER, \
        place TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (kind, position)) STRICT
        """)
      try db.execute("CREATE UNIQUE INDEX lower ON part (lower(code))")
    }
    let parts = try SQLiteRepository<Part>(database)
    let pair = [Part(id: 1, code: "a", position: 1), Part(id: 2, code: "b", position: 2)]
    try await parts.store(pair)
    let turned = [Part(id: 1, code: "B", position: 2), Part(id: 2, code: "A", position: 1)]
    try await parts.mirror(turned, for: Criteria())
    #expect(try await parts.find(Criteria()).value == turned)
  }

  @Test func `Models that a constraint keeps from changing places are an error of their values`()
    async throws
  {
    let database = try SQLiteDatabase.inMemory()
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE CHECK (length(code) = 1), \
        position INTEGER, place TEXT NOT NULL, kind TEXT NOT NULL)
        """)
    }
    let parts = try SQLiteRepository<Part>(database)
    let pair = [Part(id: 1, code: "a"), Part(id: 2, code: "b")]
    try await parts.store(pair)
    let error = await #expect(throws: SQLiteError.self) {
      try await parts.mirror([Part(id: 1, code: "b"), Part(id: 2, code: "a")], for: Criteria())
    }
    #expect(error?.description.contains("the values of part.code have to be unique") == true)
    #expect(try await parts.find(Criteria()).value == pair)
  }

  @Test func `A find that mirrors brings the file to what the service has`() async throws {
    let service = InMemoryRepository([Part(id: 1, code: "a"), Part(id: 2, code: "b")])
    let evocation = Evocation()
    evocation.register(for: Part.self).repository(remote: service).repository(local: parts)
    let call = { await evocation.find(model: Part.self, rule: .init(synchronize: .mirror)) }
    _ = await call()
    _ = try await service.remove([Part(id: 1, code: "a"), Part(id: 2, code: "b")])
    _ = try await service.store([Part(id: 2, code: "a"), Part(id: 3, code: "b")])
    let result = await call()
    #expect(result.synchronizationError == nil, "\(result)")
    #expect(try await all() == [Part(id: 2, code: "a"), Part(id: 3, code: "b")])
  }

  @Test func `A cache is refreshed with what the service has`() async throws {
    let service = InMemoryRepository([Part(id: 1, code: "a"), Part(id: 2, code: "b")])
    let evocation = Evocation()
    evocation.register(for: Part.self).repository(remote: service).repository(local: parts)
    let cache = evocation.cache(Part.self)
    cache.requirements = Criteria()
    try await cache.refresh(force: true)
    _ = try await service.update([Part(id: 1, code: "b"), Part(id: 2, code: "a")])
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await all() == [Part(id: 1, code: "b"), Part(id: 2, code: "a")])
  }
}
