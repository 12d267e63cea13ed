import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Columns that another process has dropped or renamed, and text in double quotes.
@Suite(.patient) struct MissingColumnTests {
  private struct Pub: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var city: String
  }

  private static let all = [Pub(id: 1, city: "Rome"), Pub(id: 2, city: "Bonn")]

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let pubs: SQLiteRepository<Pub>

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    pubs = try SQLiteRepository<Pub>(database)
    try await pubs.store(Self.all)
    _ = try await pubs.find(Criteria())
  }

  private func rename() async throws {
    let other = try SQLiteDatabase(path: folder.path())
    try other.migrate([SQLiteMigration("rename", "ALTER TABLE pub RENAME COLUMN city TO town")])
    await other.close()
  }

  private func expectError(_ call: () async throws -> Void) async {
    let error = await #expect(throws: SQLiteError.self) { try await call() }
    let description = error?.description ?? ""
    let isNamed = ["no such column: city", "no column named city"].contains {
      description.contains($0)
    }
    #expect(isNamed, "\(description)")
  }

  @Test
  func `A column that another process has renamed is an error that names it, and loses nothing`()
    async throws
  {
    try await rename()
    let (pubs, key) = (pubs, Criteria.Key("city"))
    let observation = pubs.observeChanges { _ in }
    defer { observation.cancel() }
    await expectError { _ = try await pubs.find(Criteria()) }
    await expectError { _ = try await pubs.findOne(["id": 1]) }
    await expectError { _ = try await pubs.find(key == "Rome") }
    await expectError { _ = try await pubs.count(key == "city") }
    await expectError { _ = try await pubs.exists(key != "Rome") }
    await expectError { _ = try await pubs.find(Criteria().sorted(by: key)) }
    await expectError { for try await _ in pubs.stream() {} }
    await expectError { try await pubs.removeAll(matching: key != "Rome") }
    await expectError { try await pubs.mirror([Pub(id: 1, city: "Rome")], for: key != "Bonn") }
    await expectError { try await pubs.storeOne(Pub(id: 3, city: "Pisa")) }
    await expectError { try await pubs.storeOrUpdate([Pub(id: 1, city: "Pisa")]) }
    await expectError { try await pubs.update([Pub(id: 1, city: "Pisa")]) }
    let rows = try await database.read { try $0.rows("SELECT id, town FROM pub ORDER BY id") }
    #expect(rows.map(\.values) == [[.integer(1), .text("Rome")], [.integer(2), .text("Bonn")]])
  }

  @Test func `A name that no table has is an error in the app's own SQL too`() async throws {
    let database = database
    for sql in ["SELECT \"town\" FROM pub", "SELECT 1 FROM pub WHERE \"town\" = 'town'"] {
      await #expect(throws: SQLiteError.self) { try await database.read { try $0.rows(sql) } }
      await #expect(throws: SQLiteError.self) { try await database.write { try $0.rows(sql) } }
    }
    for sql in [
      "DELETE FROM pub WHERE \"town\" <> 'Rome'", "UPDATE pub SET city = \"town\"",
      "CREATE INDEX towns ON pub (\"town\")", "CREATE VIEW v AS SELECT \"town\" FROM pub",
    ] {
      await #expect(throws: SQLiteError.self) {
        try await database.write { db in
          try db.execute(sql)
          // A view is checked when it is read.
          try db.execute("SELECT * FROM v")
        }
      }
    }
    #expect(try await pubs.find(Criteria()).value == Self.all)
  }

  @Test func `Triggers and views with text in double quotes go on, also those of a migration`()
    async throws
  {
    let sql = [
      "CREATE TABLE log (what TEXT)",
      "CREATE TRIGGER adds AFTER INSERT ON pub BEGIN INSERT INTO log VALUES (\"added\"); END",
      "CREATE TRIGGER moves AFTER UPDATE OF city ON pub BEGIN INSERT INTO log VALUES (\"moved\"); END",
      "CREATE VIEW seen AS SELECT \"id\", \"text\" AS what FROM pub",
    ]
    try await database.write { db in
      for sql in sql { try db.execute(sql) }
    }
    await database.close()
    for step in 1...2 {
      let again = try SQLiteDatabase(path: folder.path())
      let pubs = try SQLiteRepository<Pub>(again)
      try await pubs.store([Pub(id: 10 * step, city: "Pisa")])
      try await pubs.update([Pub(id: 10 * step, city: "Bari")])
      let rows = try await again.read { db in
        try db.rows("SELECT what FROM log UNION ALL SELECT what FROM seen WHERE id = 1")
      }
      let log = Array(repeating: ["added", "moved"], count: step).flatMap(\.self)
      #expect(rows.map(\.values) == (log + ["text"]).map { [.text($0)] })
      await again.close()
    }
    let other = try SQLiteDatabase.inMemory()
    try other.migrate([
      SQLiteMigration(
        "log", "CREATE TABLE pub (id INTEGER PRIMARY KEY, city TEXT NOT NULL)", sql[0], sql[1])
    ])
    try await SQLiteRepository<Pub>(other).store(Self.all)
    let log = try await other.read { try $0.rows("SELECT what FROM log").map(\.values) }
    #expect(log == [[.text("added")], [.text("added")]])
  }

  @Test func `A released migration may be mended where it has text in double quotes`() async throws
  {
    let sql = ["CREATE TABLE bar (kind TEXT DEFAULT \"inn\")", "INSERT INTO bar DEFAULT VALUES"]
    let mended = sql.map { $0.replacingOccurrences(of: "\"", with: "'") }
    #expect(try database.migrate([SQLiteMigration("bar", sql[0], sql[1])]) == ["bar"])
    #expect(try database.migrate([SQLiteMigration("bar", mended[0], mended[1])]) == [])
    let fresh = try SQLiteDatabase.inMemory()
    #expect(throws: SQLiteError.self) {
      try fresh.migrate([SQLiteMigration("bar", sql[0], "INSERT INTO bar VALUES (\"inn\")")])
    }
    #expect(
      try fresh.migrate([SQLiteMigration("bar", sql[0], "INSERT INTO bar VALUES ('inn')")])
        == ["bar"])
  }

  @Test func `A file whose tables have text in double quotes is used, altered, copied and shrunk`()
    async throws
  {
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE bar (id INTEGER PRIMARY KEY, kind TEXT NOT NULL DEFAULT "inn" CHECK (kind <> 'x'))
        """)
      try db.execute("PRAGMA writable_schema = ON")
      try db.execute(
        """
        UPDATE sqlite_schema SET sql = replace(sql, '''x''', '"x"') WHERE name = 'bar'
        """)
      try db.execute("PRAGMA writable_schema = OFF")
    }
    await database.close()
    let second = try SQLiteDatabase(path: folder.path())
    try await second.vacuum()
    try await second.write { db in
      try db.execute("INSERT INTO bar (id) VALUES (1)")
      try db.execute("ALTER TABLE pub RENAME COLUMN city TO town")
      try db.execute("ALTER TABLE pub RENAME COLUMN town TO city")
    }
    await #expect(throws: SQLiteError.self) {
      try await second.write { try $0.execute("INSERT INTO bar VALUES (2, 'x')") }
    }
    try await second.backup(to: folder.path("copy"))
    #expect(try await SQLiteRepository<Pub>(second).find(Criteria()).value == Self.all)
    let kinds = try await second.read { try $0.rows("SELECT kind FROM bar") }
    #expect(kinds.map(\.values) == [[.text("inn")]])
    // SQL that is not part of the schema is read strictly again.
    await #expect(throws: SQLiteError.self) {
      try await second.read { try $0.rows("SELECT \"x\"") }
    }
    await second.close()
    let copy = try SQLiteDatabase(path: folder.path("copy"))
    #expect(try await SQLiteRepository<Pub>(copy).find(Criteria()).value == Self.all)
  }
}
