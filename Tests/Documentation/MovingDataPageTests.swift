import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

struct Moved: Codable, Identifiable, Sendable {
  var id: String
}

func move<Model: Sendable>(
  _ name: String, in evocation: Evocation, rule: Strategy.Rule? = .localOnly,
  batch: (_ offset: Int) async throws -> [Model]
) async throws {
  guard try await !evocation.exists(Moved.self, where: \.id == name) else { return }
  var offset = 0
  while true {
    let models = try await batch(offset)
    if models.isEmpty { break }
    _ = try await evocation.storeOrUpdate(models, rule: rule).get()
    offset += models.count
  }
  _ = try await evocation.storeOne(Moved(id: name)).get()
}

/// The samples of the page on moving an app's data, word for word, with real files.
@Suite(.serialized, .patient) struct MovingDataPageTests {
  private struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var text: String
  }

  private struct TakenOver: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text: String
    var changedAt: Date
  }

  private struct Killed: Error {}

  private func withApp(
    _ service: some Repository<Note>, _ body: (Evocation, URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try SQLiteDatabase(path: folder.appending(path: "app.sqlite").path)
    let evocation = Evocation(
      configuration: .init(outbox: .init(sendsAutomatically: false, connectivity: nil)))
    try evocation.register(Moved.self, local: SQLiteRepository(database))
    try evocation.register(
      Note.self, remote: service, local: SQLiteRepository(database), strategy: .offlineFirst)
    try await body(evocation, folder)
    await database.close()
  }

  private func local(_ evocation: Evocation) async throws -> [Note] {
    try await evocation.find(Note.self, sortedBy: \.id, rule: .localOnly)
  }

  @Test func `data of the user's defaults are moved once, and nothing is sent`() async throws {
    let service = RepositoryMock<Note> { _ in [] }
    try await withApp(service) { evocation, _ in
      let old = [Note(id: 1, text: "a"), Note(id: 2, text: "b")]
      UserDefaults.standard.set(try JSONEncoder().encode(old), forKey: "notes")
      defer { UserDefaults.standard.removeObject(forKey: "notes") }
      do {
        let data = UserDefaults.standard.data(forKey: "notes") ?? Data("[]".utf8)
        let notes = try JSONDecoder().decode([Note].self, from: data)
        try await move("notes", in: evocation) { offset in Array(notes.dropFirst(offset)) }
      }
      #expect(try await local(evocation) == old)
      #expect(try await evocation.outbox.entries(of: Note.self).isEmpty && service.calls.isEmpty)

      _ = try await evocation.removeOne(old[0], rule: .localOnly).get()
      try await move("notes", in: evocation) { _ -> [Note] in
        Issue.record("It was moved already.")
        return []
      }
      #expect(try await local(evocation) == [old[1]])
    }
  }

  @Test func `a move that was cut off is made again, with the same result`() async throws {
    try await withApp(InMemoryRepository()) { evocation, _ in
      let old = (1...5).map { Note(id: $0, text: "\($0)") }
      await #expect(throws: Killed.self) {
        try await move("notes", in: evocation) { offset in
          if offset == 4 { throw Killed() }
          return Array(old.dropFirst(offset).prefix(2))
        }
      }
      #expect(try await local(evocation) == Array(old.prefix(4)))
      try await move("notes", in: evocation) { Array(old.dropFirst($0).prefix(2)) }
      #expect(try await local(evocation) == old)
    }
  }

  @Test func `what the old app did not send goes through the outbox`() async throws {
    let remote = InMemoryRepository([Note(id: 3, text: "of the server")])
    try await withApp(remote) { evocation, _ in
      let unsent = [Note(id: 3, text: "changed")]
      await #expect(throws: Killed.self) {
        try await move("unsent notes", in: evocation, rule: nil) { offset in
          if offset > 0 { throw Killed() }
          return unsent
        }
      }
      do {
        try await move("unsent notes", in: evocation, rule: nil) { offset in
          Array(unsent.dropFirst(offset))
        }
      }
      #expect(try await evocation.outbox.entries(of: Note.self).map(\.model) == unsent)
      #expect(await evocation.outbox.flush().sent == 1)
      #expect(try await remote.find(Criteria()).value == unsent)
    }
  }

  @Test func `a change that a batch has moved is no change, and one on the server's state is`()
    async throws
  {
    let remote = InMemoryRepository([Note(id: 1, text: "a"), Note(id: 2, text: "b")])
    try await withApp(remote) { evocation, _ in
      try await move("notes", in: evocation) { offset in
        offset > 0 ? [] : [Note(id: 1, text: "changed"), Note(id: 2, text: "b")]
      }
      _ = try await evocation.storeOrUpdate([Note(id: 1, text: "changed")]).get()
      _ = try await evocation.updateOne(Note(id: 2, text: "changed")).get()
      let result = await evocation.outbox.flush()
      #expect(result.left == 0 && result.parked == 0)
      let expected = [Note(id: 1, text: "a"), Note(id: 2, text: "changed")]
      #expect(try await remote.find(Criteria()).value == expected)
      #expect(try await local(evocation) == expected)
    }
  }

  @Test func `rows of another file are moved in batches`() async throws {
    try await withApp(InMemoryRepository()) { evocation, folder in
      let oldPath = folder.appending(path: "old.sqlite").path
      let writer = try SQLiteDatabase(path: oldPath)
      try await writer.write { db in
        try db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        for id in 1...2_500 { try db.execute("INSERT INTO note VALUES (?, ?)", [id, "\(id)"]) }
      }
      await writer.close()
      do {
        let old = try SQLiteDatabase(path: oldPath)
        try await move("notes", in: evocation) { offset -> [Note] in
          try await old.read { db in
            try db.rows("SELECT id, text FROM note ORDER BY id LIMIT 1000 OFFSET ?", [offset])
              .compactMap { row in
                guard case .integer(let id)? = row["id"], case .text(let text)? = row["text"] else {
                  return nil
                }
                return Note(id: Int(id), text: text)
              }
          }
        }
        await old.close()
      }
      #expect(try await local(evocation).count == 2_500)
    }
  }

  @Test(arguments: [true, false])
  func `a migration takes over a table of the same file`(isThere: Bool) async throws {
    let database = try SQLiteDatabase.inMemory()
    if isThere {
      try await database.write { db in
        try db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, changedAt TEXT)")
        try db.execute("INSERT INTO note VALUES (1, 'a', '2001-01-02 00:00:00.000')")
      }
    }
    let takeOver = SQLiteMigration(
      "take over the notes",
      "CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT, changedAt TEXT)",
      """
      CREATE TABLE notes (id INTEGER NOT NULL, text TEXT NOT NULL, changedAt REAL NOT NULL,
      PRIMARY KEY (id))
      """,
      """
      INSERT INTO notes
      SELECT id, ifnull(text, ''), ifnull(strftime('%s', changedAt), 978307200) - 978307200 FROM note
      """)
    try database.migrate([takeOver])
    let notes = try SQLiteRepository<TakenOver>(database, table: "notes")
    let day = Date(timeIntervalSinceReferenceDate: 86_400)
    #expect(
      try await notes.find(Criteria()).value
        == (isThere ? [TakenOver(id: 1, text: "a", changedAt: day)] : []))
    #expect(try database.migrate([takeOver]) == [])
  }
}
