import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import SQLiteSupport

private struct Note<ID: Codable & Hashable & Sendable>: Codable, Identifiable, Sendable, Equatable {
  var id: ID
  var text = ""
  var parent: ID?
}

private struct Comment<Note: Codable & Hashable & Sendable>:
  Codable, Identifiable, Sendable, Equatable
{
  var id: Int
  var note: Note?
  var text = ""
}

/// An id of two values.
private struct Pair: Codable, CriteriaValue {
  var (left, right) = (0, 0)
  var criteriaValue: Criteria.Scalar { .text("\(left)/\(right)") }
}

/// What becomes of a file whose models get ids of another type.
@Suite(.patient) struct RekeyingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let texts = [
    "6b1f0000-0000-4000-8000-00000000000a", "7C2F0000-0000-4000-8000-00000000000B",
  ]
  private static let uuids = texts.compactMap { UUID(uuidString: $0) }
  private static let gone = "8D3F0000-0000-4000-8000-00000000000C"

  private func note() -> OutboxNote<Note<String>> { OutboxNote(queuedAt: Date()) }

  private func entries<Model>(
    _ repository: SQLiteRepository<Model>
  ) async throws -> [Outbox.Entry<Model>] {
    try await repository.look(isShort: false) {
      try $0.records(after: .min, limit: 10).compactMap(\.entry)
    }
  }

  /// Fills a file with notes, a list of them, comments, and unsent writes of both.
  private func fill(_ texts: [String] = Self.texts) async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let notes = try SQLiteRepository<Note<String>>(
      database, table: "note", indexes: ["text", .fullText("text")])
    let comments = try SQLiteRepository<Comment<String>>(database, table: "comment")
    try await notes.store([Note(id: texts[0], text: "first")])
    let ids = PackedValues.array([.text(texts[1]), .text(texts[0])])
    try await database.write { db in
      try db.execute(
        "INSERT INTO evocation_pages (list, page, model, ids, requirements) VALUES ('all', 0, 'note', ?, '')",
        [ids])
    }
    let stored = Note(id: texts[1], text: "second", parent: texts[0])
    try await notes.commit(StoreWrite([.store([stored])], outbox: note()))
    try await notes.commit(
      StoreWrite([.update([Note(id: texts[0], text: "changed")])], outbox: note()))
    try await notes.transact(isShort: true) { transaction in
      try transaction.setVersion("7", of: Note(id: texts[0]))
      let renaming = OutboxRenaming(
        key: "'\(texts[1])", identity: Data(#"{"id":"\#(texts[1])"}"#.utf8))
      try transaction.entries.record(renaming, of: .init(queue: "note", key: "'\(Self.gone)"))
    }
    let references = OutboxNote<Comment<String>>(queuedAt: Date()) { comment in
      comment.note.map { [.init(queue: "note", key: "'\($0)")] } ?? []
    }
    try await comments.commit(
      StoreWrite(
        [.store([Comment(id: 1, note: texts[1], text: "a"), Comment(id: 2)])], outbox: references))
    await database.close()
  }

  private func migrated(_ migration: SQLiteMigration) async throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: folder.path())
    do {
      try database.migrate([migration])
    } catch {
      await database.close()
      throw error
    }
    return database
  }

  @Test func `Text ids become UUIDs in rows, references, lists, and unsent writes`() async throws {
    try await fill()
    let database = try await migrated(
      SQLiteMigration("ids", rekeying: "note", references: ["Comment": "note", "note": "parent"]))
    let notes = try SQLiteRepository<Note<UUID>>(
      database, table: "note", indexes: ["text", .fullText("text")])
    let comments = try SQLiteRepository<Comment<UUID>>(database, table: "comment")
    let (first, second) = (Self.uuids[0], Self.uuids[1])
    let changed = Note(id: first, text: "changed")
    let stored = Note(id: second, text: "second", parent: first)
    #expect(try await notes.find(Criteria().sorted(by: "text")).value == [changed, stored])
    #expect(try await notes.findOne(["id": second]).value == stored)
    #expect(try await notes.find(Criteria.matching("sec*")).value == [stored])
    #expect(try await notes.part(of: "all", in: nil)?.models == [stored, changed])
    #expect(
      try await comments.find(Criteria().sorted(by: "id")).value
        == [Comment(id: 1, note: second, text: "a"), Comment(id: 2)])

    let unsent = try await entries(notes)
    #expect(unsent.map(\.model) == [stored, changed])
    #expect(unsent.map(\.base) == [nil, Note(id: first, text: "first")])
    #expect(try await entries(comments).map(\.model.note) == [second, nil])
    let key = "'\(second.uuidString)"
    #expect(try await entries(comments).first?.references == [.init(queue: "note", key: key)])
    let following = try await comments.look(isShort: false) {
      try $0.records(referringTo: .init(queue: "note", key: key)).count
    }
    #expect(following == 1)
    let other = Outbox.Reference(queue: "note", key: "'\(Self.gone)")
    let renaming = try await notes.look(isShort: false) { try $0.entries.renaming(of: other) }
    #expect(renaming?.key == key)
    #expect(
      renaming.map { String(decoding: $0.identity, as: UTF8.self) } == #"{"id":"\#(second)"}"#)
    #expect(try await notes.look(isShort: false) { try $0.version(of: changed) } == "7")
    // A later write of the same model joins the entry that waits.
    try await notes.commit(
      StoreWrite([.update([Note(id: second, text: "third")])], outbox: OutboxNote(queuedAt: Date()))
    )
    #expect(try await entries(notes).map(\.model.text) == ["third", "changed"])
    await database.close()
  }

  @Test func `Ids that take one another's place stay with their models`() async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let notes = try SQLiteRepository<Note<Int>>(database, table: "note")
    for (id, text) in [(1, "one"), (2, "two"), (3, "three")] {
      try await notes.commit(
        StoreWrite(
          [.store([Note(id: id, text: text, parent: id % 3 + 1)])],
          outbox: OutboxNote(queuedAt: Date())))
    }
    await database.close()
    let migrated = try await migrated(
      SQLiteMigration("turn", rekeying: "note", as: Int.self, references: ["note": "parent"]) {
        text in
        Int(text).map { $0 % 3 + 1 }
      })
    let turned = try SQLiteRepository<Note<Int>>(migrated, table: "note")
    let expected = [
      Note(id: 1, text: "three", parent: 2), Note(id: 2, text: "one", parent: 3),
      Note(id: 3, text: "two", parent: 1),
    ]
    #expect(try await turned.find(Criteria().sorted(by: "id")).value == expected)
    #expect(try await entries(turned).map(\.model) == [expected[1], expected[2], expected[0]])
    let keys = try await turned.look(isShort: false) { store in
      try (1...3).map { try store.entries.ends(of: .init(queue: "note", key: "\($0)")) }
    }
    #expect(keys == [3...3, 1...1, 2...2])
    await migrated.close()
  }

  @Test func `A reference that has the id as text follows an id that is stored as bytes`()
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    try await database.write { db in
      try db.execute("CREATE TABLE note (id BLOB PRIMARY KEY)")
      try db.execute("CREATE TABLE comment (id INTEGER PRIMARY KEY, note TEXT)")
      try db.execute("INSERT INTO note VALUES (?)", [Self.uuids[0]])
      try db.execute("INSERT INTO comment VALUES (1, ?)", [Self.uuids[0].uuidString])
    }
    try database.migrate([
      SQLiteMigration("n", rekeying: "note", as: String.self, references: ["comment": "note"]) {
        "note-\($0)"
      }
    ])
    let new = Criteria.Scalar.text("note-\(Self.uuids[0])")
    let rows = try await database.read { db in try db.rows("SELECT note FROM comment") }
    #expect(rows.map { $0["note"] } == [new])
    await database.close()
  }

  @Test func `Everything else that SQL made of a table stays`() async throws {
    let database = try SQLiteDatabase(path: folder.path())
    try await database.write { db in
      for sql in [
        """
        CREATE TABLE tag ( -- the key, of "any" kind
          [id] INTEGER PRIMARY KEY AUTOINCREMENT, /* , */ name TEXT DEFAULT 'a, (b)' CHECK (name <> ''),
          size INTEGER GENERATED ALWAYS AS (length(name)) VIRTUAL, UNIQUE (name))
        """,
        "CREATE TABLE use (number INTEGER PRIMARY KEY, tag INTEGER REFERENCES tag ON DELETE CASCADE)",
        "CREATE INDEX tag_size ON tag (size)",
        "CREATE VIEW long AS SELECT id FROM tag WHERE size > 3",
        "CREATE TABLE log (tag)",
        "CREATE TRIGGER tag_log AFTER DELETE ON tag BEGIN INSERT INTO log VALUES (old.id); END",
        "INSERT INTO tag (id, name) VALUES (7, 'seven'), (8, 'b')",
        "INSERT INTO use VALUES (1, 7), (2, NULL), (3, 8)",
      ] {
        try db.execute(sql)
      }
    }
    try database.migrate([
      SQLiteMigration("text", rekeying: "tag", as: String.self) { "tag-\($0)" }
    ])
    try await database.write { db in
      try db.execute("INSERT INTO tag (id) VALUES ('tag-9')")
      let tags = try db.rows("SELECT id, name, size, typeof(id) AS kind FROM tag ORDER BY id")
      #expect(tags.map { $0["id"] } == [.text("tag-7"), .text("tag-8"), .text("tag-9")])
      #expect(tags.map { $0["size"] } == [.integer(5), .integer(1), .integer(6)])
      #expect(Set(tags.map { $0["kind"] }) == [.text("text")])
      #expect(try db.rows("SELECT * FROM long").count == 2)
      #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO tag VALUES ('tag-1', '')") }
      try db.execute("DELETE FROM tag WHERE id = 'tag-7'")
      #expect(
        try db.rows("SELECT tag FROM use ORDER BY number").map { $0["tag"] } == [
          .null, .text("tag-8"),
        ])
      #expect(try db.rows("SELECT tag FROM log").map { $0["tag"] } == [.text("tag-7")])
      #expect(
        try db.rows("SELECT 1 FROM sqlite_schema WHERE name = 'tag_size'").count == 1, "the index")
    }
    await database.close()
  }

  private struct Refusal {
    let migration: SQLiteMigration
    let code: SQLiteError.Code
    let words: String
  }

  private static let refusals: [Refusal] = [
    Refusal(
      migration: .init("ids", rekeying: "note", as: Int.self) { Int($0) }, code: .misuse,
      words: "no new id"),
    Refusal(
      migration: .init("ids", rekeying: "note", as: Int.self) { _ in 1 }, code: .constraint,
      words: "became the same"),
    Refusal(
      migration: .init("ids", rekeying: "nope"), code: .misuse,
      words: "no such table"),
    Refusal(
      migration: .init("ids", rekeying: "note", references: ["note": "nope"]), code: .misuse,
      words: "no column \"nope\""),
    Refusal(
      migration: .init("ids", rekeying: "note", as: Pair.self) { _ in Pair() }, code: .misuse,
      words: "no single value"),
  ]

  @Test(arguments: refusals.indices)
  func `A change of ids that cannot be made changes nothing, and says why`(index: Int) async throws
  {
    try await fill()
    let refusal = Self.refusals[index]
    let error = await #expect(throws: SQLiteError.self) { try await migrated(refusal.migration) }
    #expect(error?.code == .migrationFailed)
    #expect((error?.underlying as? SQLiteError)?.code == refusal.code)
    #expect(error?.description.contains(refusal.words) == true, "\(String(describing: error))")
    let database = try SQLiteDatabase(path: folder.path())
    let notes = try SQLiteRepository<Note<String>>(
      database, table: "note", indexes: ["text", .fullText("text")])
    #expect(try await notes.find(Criteria()).value.count == 2)
    #expect(try await entries(notes).map(\.model.id) == [Self.texts[1], Self.texts[0]])
    await database.close()
  }
}
