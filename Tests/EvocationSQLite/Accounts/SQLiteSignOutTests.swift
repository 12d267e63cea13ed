import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What signing out leaves in SQLite files.
@Suite(.patient) struct SQLiteSignOutTests {
  struct Note: Codable, Identifiable, Sendable, Equatable { var id: Int }
  struct Tag: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var note = 0
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func evocation(
    _ notes: some Repository<Note>, _ tags: some Repository<Tag>
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Note.self).strategy(.offlineFirst)
      .repository(remote: InMemoryRepository((1...5).map { Note(id: $0) }))
      .repository(local: notes)
    evocation.register(for: Tag.self).strategy(.offlineFirst)
      .repository(remote: InMemoryRepository<Tag>()).repository(local: tags)
    return evocation
  }

  /// How many rows each table has that has any.
  private func rows(_ database: SQLiteDatabase) async throws -> [String: Int] {
    try await database.read { db in
      var counts: [String: Int] = [:]
      for row in try db.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        guard case .text(let name)? = row["name"],
          case .integer(let count)? = try db.rows("SELECT count(*) AS n FROM \"\(name)\"").first?[
            "n"],
          count > 0
        else { continue }
        counts[name] = Int(count)
      }
      return counts
    }
  }

  /// Fills every table of a file with something.
  private func fill(_ evocation: Evocation) async throws {
    let list = evocation.pagingCache(Note.self, pageSize: 2, maxAge: .seconds(60))
    list.requirements = Criteria()
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    let cache = evocation.cache(Note.self)
    cache.requirements = ["id": 5]
    try await cache.refresh()
    for id in 1...20 { _ = await evocation.storeOne(Tag(id: id)) }
  }

  @Test(arguments: [Outbox.UnsentWrites.discard, .keep])
  func `Of one file everything goes in one transaction`(unsent: Outbox.UnsentWrites) async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let notes = try SQLiteRepository<Note>(database)
    let evocation = evocation(notes, try SQLiteRepository<Tag>(database))
    try await fill(evocation)
    _ = try await notes.removeOne(Note(id: 1))
    let before = try await rows(database)
    for table in [
      "note", "tag", "evocation_pages", "evocation_removals", "evocation_fetches",
      "evocation_entries",
      "evocation_queues",
    ] { #expect(before[table] != nil, "\(table)") }
    let version = try await notes.snapshot(Criteria()).version
    try await evocation.signOut(unsent)
    let after = try await rows(database)
    var left: Set = [
      "evocation_format", "evocation_columns", "evocation_outbox", "evocation_queues",
      "evocation_dates",
    ]
    if unsent == .keep { left.insert("evocation_entries") }
    #expect(Set(after.keys) == left, "\(after)")
    let now = try await notes.snapshot(Criteria()).version
    if let version, let now, unsent == .discard { #expect(now == version + 1) }
    let flushed = await evocation.outbox.flush()
    #expect(flushed.sent == 0 && flushed.left == (unsent == .keep ? 20 : 0))
    // It is used on as if it were new.
    try await fill(evocation)
    #expect(try await notes.count(Criteria()) == 5)
  }

  @Test func `Blocked by unsent writes, no file is changed`() async throws {
    let databases = try ["a", "b"].map { try SQLiteDatabase(path: folder.path($0)) }
    let evocation = try evocation(
      SQLiteRepository<Note>(databases[0]), SQLiteRepository<Tag>(databases[1]))
    try await fill(evocation)
    let before = [try await rows(databases[0]), try await rows(databases[1])]
    await #expect(throws: EvocationError.unsentWrites(20)) { try await evocation.signOut(.block) }
    #expect([try await rows(databases[0]), try await rows(databases[1])] == before)
  }

  @Test func `Observers see one empty answer`() async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let notes = try SQLiteRepository<Note>(database)
    let evocation = evocation(notes, InMemoryRepository<Tag>())
    try await notes.store([Note(id: 1), Note(id: 2)])
    var answers = evocation.observe(model: Note.self).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.data?.count == 2)
    try await evocation.signOut(.block)
    #expect(await answers.next(isolation: nil)?.data == [])
    try await notes.store([Note(id: 3)])
    #expect(await answers.next(isolation: nil)?.data == [Note(id: 3)])
  }

  @Test func `Rows that refer to each other go in any order`() async throws {
    let database = try SQLiteDatabase(path: folder.path())
    try await database.write { db in
      try db.execute("CREATE TABLE note (id INTEGER NOT NULL PRIMARY KEY)")
      try db.execute(
        "CREATE TABLE tag (id INTEGER NOT NULL PRIMARY KEY, note INTEGER NOT NULL REFERENCES note)")
    }
    let (notes, tags) = (
      try SQLiteRepository<Note>(database), try SQLiteRepository<Tag>(database)
    )
    try await notes.store([Note(id: 1)])
    try await tags.store([Tag(id: 1, note: 1)])
    try await evocation(notes, tags).signOut(.block)
    #expect(try await notes.count(Criteria()) + tags.count(Criteria()) == 0)
  }

  @Test func `What the file refuses to delete is an error, and nothing is changed`() async throws {
    let databases = try ["a", "b"].map { try SQLiteDatabase(path: folder.path($0)) }
    let (notes, tags) = (
      try SQLiteRepository<Note>(databases[0]), try SQLiteRepository<Tag>(databases[1])
    )
    try await notes.store([Note(id: 1)])
    try await tags.store([Tag(id: 1)])
    let trigger =
      "CREATE TRIGGER keeps BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'kept'); END"
    try await databases[0].write { try $0.execute(trigger) }
    let evocation = evocation(notes, tags)
    let error = await #expect(throws: SQLiteError.self) { try await evocation.signOut(.block) }
    #expect(error?.code == .constraint)
    #expect(try await notes.count(Criteria()) == 1)
    #expect(try await tags.count(Criteria()) == 1)
    try await databases[0].write { try $0.execute("DROP TRIGGER keeps") }
    try await evocation.signOut(.block)
    #expect(try await notes.count(Criteria()) + tags.count(Criteria()) == 0)
  }

  /// Two files with a note and a tag, of whose sign-out a test hears each step.
  private func twoFiles(
    _ onStep: @escaping @Sendable (_ file: Int, SignOutStep) async throws -> Void
  ) async throws -> (Evocation, SQLiteRepository<Note>, SQLiteRepository<Tag>) {
    let databases = try ["a", "b"].map { try SQLiteDatabase(path: folder.path($0)) }
    let (notes, tags) = (
      try SQLiteRepository<Note>(databases[0]), try SQLiteRepository<Tag>(databases[1])
    )
    try await notes.store([Note(id: 1)])
    try await tags.store([Tag(id: 1)])
    let stores = databases.enumerated().map { file, database in
      SteppedStore(database) { try await onStep(file, $0) }
    }
    let evocation = evocation(
      SteppedRepository(notes, stores[0]), SteppedRepository(tags, stores[1]))
    return (evocation, notes, tags)
  }

  /// Returns how another app, which has the second file open, queues a write there.
  private func otherApp() throws -> @Sendable () async -> Void {
    let tags = try SQLiteRepository<Tag>(SQLiteDatabase(path: folder.path("b")))
    let evocation = evocation(InMemoryRepository<Note>(), tags)
    return { _ = await evocation.storeOne(Tag(id: 2)) }
  }

  private func isHeld(_ database: SQLiteDatabase) async throws -> Bool {
    try await database.read { db in
      try db.rows("SELECT isHeld FROM evocation_outbox").map { $0["isHeld"] } == [.integer(1)]
    }
  }

  @Test func `A file that is opened meanwhile is emptied then, and the sign-out goes on`()
    async throws
  {
    let path = folder.path("b")
    let (evocation, notes, tags) = try await twoFiles { file, step in
      guard file == 0, step == .beforeEmpty else { return }
      let other = try SQLiteDatabase(path: path)
      // Somebody signs in there.
      try await SQLiteRepository<Tag>(other).store([Tag(id: 7)])
      await other.close()
    }
    try await evocation.signOut(.block)
    #expect(try await notes.count(Criteria()) == 0)
    #expect(try await tags.find(Criteria()).value == [Tag(id: 7)])
  }

  @Test func `Unsent writes that come before the marks block it`() async throws {
    let queue = try otherApp()
    let (evocation, notes, tags) = try await twoFiles { file, step in
      if file == 1, step == .beforeMark { await queue() }
    }
    await #expect(throws: EvocationError.unsentWrites(1)) { try await evocation.signOut(.block) }
    #expect(try await notes.count(Criteria()) == 1)
    #expect(try await tags.count(Criteria()) == 2)
    await notes.database.close()
    let reopened = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path("a")))
    #expect(try await reopened.count(Criteria()) == 1)
    #expect(try await tags.count(Criteria()) == 2)
  }

  @Test func `If a mark cannot be taken back, the next start finishes, and loses no unsent write`()
    async throws
  {
    let queue = try otherApp()
    let (evocation, notes, tags) = try await twoFiles { file, step in
      if file == 1, step == .beforeMark { await queue() }
      if file == 0, step == .beforeUnmark { throw CancellationError() }
    }
    await #expect(throws: EvocationError.unsentWrites(1)) { try await evocation.signOut(.block) }
    #expect(try await notes.count(Criteria()) == 1)
    #expect(try await tags.count(Criteria()) == 2)
    for repository in [notes.database, tags.database] { await repository.close() }
    let databases = try ["a", "b"].map { try SQLiteDatabase(path: folder.path($0)) }
    let next = try self.evocation(
      SQLiteRepository<Note>(databases[0]), SQLiteRepository<Tag>(databases[1]))
    #expect(await next.find(model: Note.self, rule: .localOnly).data == [])
    #expect(await next.find(model: Tag.self, rule: .localOnly).data == [])
    #expect(try await next.outbox.status().pending == 1)
    #expect(try await isHeld(databases[1]))
  }

  @Test func `A file that could not be emptied is emptied by the next sign-out, and then no more`()
    async throws
  {
    let (evocation, notes, tags) = try await twoFiles { _, _ in }
    try await tags.database.write {
      try $0.execute(
        "CREATE TRIGGER keeps BEFORE DELETE ON tag BEGIN SELECT RAISE(ABORT, 'kept'); END")
    }
    await #expect(throws: SQLiteError.self) { try await evocation.signOut(.discard) }
    #expect(try await notes.count(Criteria()) == 0)
    try await tags.database.write { try $0.execute("DROP TRIGGER keeps") }
    try await evocation.signOut(.discard)
    #expect(try await tags.count(Criteria()) == 0)
    try await tags.store([Tag(id: 7)])
    await tags.database.close()
    let reopened = try SQLiteRepository<Tag>(SQLiteDatabase(path: folder.path("b")))
    #expect(try await reopened.count(Criteria()) == 1)
  }

  @Test func `Unsent writes that come after the marks wait for their user`() async throws {
    let queue = try otherApp()
    let (evocation, notes, tags) = try await twoFiles { file, step in
      if file == 0, step == .beforeEmpty { await queue() }
    }
    try await evocation.signOut(.block)
    #expect(try await notes.count(Criteria()) + tags.count(Criteria()) == 0)
    let left = try await rows(tags.database)
    #expect(left["evocation_entries"] == 1)
    #expect(try await isHeld(tags.database))
  }

  @Test func `Two databases of one file are one store`() async throws {
    let databases = try (0...1).map { _ in try SQLiteDatabase(path: folder.path()) }
    let (notes, tags) = (
      try SQLiteRepository<Note>(databases[0]), try SQLiteRepository<Tag>(databases[1])
    )
    try await notes.store([Note(id: 1)])
    try await tags.store([Tag(id: 1)])
    try await evocation(notes, tags).signOut(.discard)
    #expect(try await notes.count(Criteria()) + tags.count(Criteria()) == 0)
    #expect(try await rows(databases[0])["evocation_sign_outs"] == nil)
  }
}
