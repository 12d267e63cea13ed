import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

private enum Version {
  struct First: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var year: Int
    var name = "a"
  }

  struct Second: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var modelYear: Int
    var name = "a"
  }
}

private struct Fault: Error { var secret = "secret" }

@Suite(.patient) struct MigrationTests {
  private let folder: TemporaryFolder
  private let path: String
  private let rename = SQLiteMigration(
    "rename year", "ALTER TABLE car RENAME COLUMN year TO modelYear")
  private let make = SQLiteMigration("make b", "CREATE TABLE b (a)", "INSERT INTO b VALUES (1)")

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  private func tables(_ database: SQLiteDatabase) async throws -> [Criteria.Scalar] {
    try await database.read { db in
      try db.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .map { $0.values[0] }
    }
  }

  @Test func `A renamed property keeps its values`() async throws {
    let older = try SQLiteDatabase(path: path)
    let first = try SQLiteRepository<Version.First>(older, table: "car", indexes: ["year"])
    try await first.store([.init(id: 1, year: 2002), .init(id: 2, year: 2003)])
    await older.close()
    let database = try SQLiteDatabase(path: path)
    #expect(try database.migrate([rename]) == ["rename year"])
    let second = try SQLiteRepository<Version.Second>(database, table: "car")
    #expect(
      try await second.find(Criteria.Key("modelYear") > 2002).value
        == [.init(id: 2, modelYear: 2003)])
  }

  @Test func `Each migration is applied once, in order, and written down`() async throws {
    for expected in [["make b", "fill b"], []] {
      let database = try SQLiteDatabase(path: path)
      let fill = SQLiteMigration("fill b") { db in
        try db.execute("INSERT INTO b VALUES (?)", [2])
      }
      #expect(try database.migrate([make, fill]) == expected)
      await database.close()
    }
    let database = try SQLiteDatabase(path: path)
    let last = SQLiteMigration("last", "INSERT INTO b SELECT max(a) + 1 FROM b")
    let fill = SQLiteMigration("fill b") { _ in throw Fault() }
    #expect(try database.migrate([make, fill, last]) == ["last"])
    let rows = try await database.read { try $0.rows("SELECT a FROM b") }
    #expect(rows.map(\.values) == [[.integer(1)], [.integer(2)], [.integer(3)]])
    let written = try await database.read { db in
      try db.rows("SELECT position, name FROM evocation_migrations ORDER BY 1").map(\.values)
    }
    #expect(written.map { $0[0] } == [.integer(1), .integer(2), .integer(3)])
    #expect(written.map { $0[1] } == [.text("make b"), .text("fill b"), .text("last")])
  }

  @Test func `A file that has the checksums of 2.0.0-beta.1 is migrated as any other`() async throws
  {
    let older = try SQLiteDatabase(path: path)
    try older.migrate([make])
    try await older.write { db in
      for sql in [
        "DROP TABLE evocation_migrations",
        """
        CREATE TABLE evocation_migrations (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, \
        checksum TEXT NOT NULL, appliedAt REAL NOT NULL)
        """,
        "INSERT INTO evocation_migrations VALUES (1, 'make b', 'sql cbf29ce484222325', 0)",
      ] { try db.execute(sql) }
    }
    await older.close()
    for expected in [["make c"], []] {
      let database = try SQLiteDatabase(path: path)
      let next = SQLiteMigration("make c", "CREATE TABLE c (a)")
      #expect(try database.migrate([make, next]) == expected)
      await database.close()
    }
  }

  @Test func `A migration that fails is taken back whole, and those before it stay`() async throws {
    let database = try SQLiteDatabase(path: path)
    let broken = SQLiteMigration("break b", "CREATE TABLE c (a)", "INSERT INTO nowhere VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try database.migrate([make, broken, rename]) }
    #expect(error?.code == .migrationFailed)
    #expect((error?.underlying as? SQLiteError)?.code == .misuse)
    #expect(
      error?.description
        == "The migration \"break b\" of the database in \"\(path)\" failed, and was undone: "
        + "Preparing a statement in \"\(path)\" failed: no such table: nowhere.")
    #expect(try await tables(database).contains(.text("b")))
    #expect(try database.migrate([make]) == [])
  }

  @Test func `Observers are told of a migration before one that fails`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let cars = try SQLiteRepository<Car>(database)
    let recorder = Recorder<Car>()
    let observation = cars.observeChanges { recorder.record($0) }
    let change = SQLiteMigration(
      "change", "INSERT INTO car (id, name, price, tags) VALUES (1, '', 0, '[]')")
    let broken = SQLiteMigration("break", "INSERT INTO nowhere VALUES (1)")
    #expect(throws: SQLiteError.self) { try database.migrate([change, broken]) }
    observation.cancel()
    #expect(recorder.told.count == 1)
  }

  @Test func `A migration that ends its transaction is not written down as applied`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ending = SQLiteMigration("end", "CREATE TABLE c (a)", "COMMIT")
    let error = #expect(throws: SQLiteError.self) { try database.migrate([make, ending]) }
    #expect(
      error?.description == "The migration \"end\" of the database in \"\(path)\" failed: it ended "
        + "its transaction, so that part of it is kept; leave BEGIN, COMMIT and ROLLBACK to migrate."
    )
    #expect(error?.code == .misuse)
    #expect(try database.migrate([make]) == [])
  }

  @Test func `What a closure throws is kept, and not printed`() async throws {
    let database = try SQLiteDatabase(path: path)
    let error = #expect(throws: SQLiteError.self) {
      try database.migrate([
        SQLiteMigration("throw") { db in
          try db.execute("CREATE TABLE c (a)")
          throw Fault()
        }
      ])
    }
    #expect(error?.underlying is Fault)
    #expect(
      error?.description
        == "The migration \"throw\" of the database in \"\(path)\" failed, and was "
        + "undone: it threw Fault.")
    #expect(try await tables(database) == [])
    #expect(throws: CancellationError.self) {
      try database.migrate([SQLiteMigration("end") { _ in throw CancellationError() }]
      )
    }
  }

  @Test func `A migration is known by its name alone`() throws {
    let database = try SQLiteDatabase(path: path)
    try database.migrate([make])
    let mended = SQLiteMigration("make b", "CREATE TABLE b (a INTEGER)")
    #expect(try database.migrate([mended]) == [])
  }

  @Test func `A file with migrations that the app does not know is refused, untouched`()
    async throws
  {
    let newer = try SQLiteDatabase(path: path)
    try newer.migrate([make, SQLiteMigration("newer", "CREATE TABLE c (a)")])
    await newer.close()
    let content = try Data(contentsOf: URL(filePath: path))
    for migrations in [[], [make], [make, rename]] {
      let database = try SQLiteDatabase(path: path)
      let error = #expect(throws: SQLiteError.self) { try database.migrate(migrations) }
      #expect(error?.code == .newerSchema)
      await database.close()
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
  }

  @Test func `Of several that migrate a file at once, one applies each migration`() async throws {
    let path = path
    let make = make
    let names = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<6 {
        group.addTask {
          let database = try SQLiteDatabase(path: path)
          return try database.migrate(
            [make] + (0..<5).map { SQLiteMigration("\($0)", "INSERT INTO b VALUES (\($0))") })
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(names.sorted() == ["0", "1", "2", "3", "4", "make b"])
    let database = try SQLiteDatabase(path: path)
    let count = try await database.read { try $0.rows("SELECT count(*) FROM b") }
    #expect(count.map(\.values) == [[.integer(6)]])
  }

  @Test func `A table can be made anew without losing what refers to it`() async throws {
    let database = try SQLiteDatabase(path: path)
    try await database.write { db in
      try db.execute("CREATE TABLE a (id INTEGER PRIMARY KEY, x NOT NULL)")
      try db.execute("CREATE TABLE b (a REFERENCES a ON DELETE CASCADE)")
      try db.execute("INSERT INTO a VALUES (1, 2)")
      _ = try db.execute("INSERT INTO b VALUES (1)")
    }
    let anew = SQLiteMigration(
      "let x be null", "CREATE TABLE new (id INTEGER PRIMARY KEY, x)",
      "INSERT INTO new SELECT id, x FROM a", "DROP TABLE a", "ALTER TABLE new RENAME TO a")
    try database.migrate([anew])
    let broken = SQLiteMigration("lose a", "DELETE FROM a")
    let error = #expect(throws: SQLiteError.self) { try database.migrate([anew, broken]) }
    #expect(
      error?.description
        == "The migration \"lose a\" of the database in \"\(path)\" failed, and was undone: "
        + "Checking foreign keys failed: a row of the table \"b\" refers to one that does not "
        + "exist.")
    let rows = try await database.write { db in
      try db.rows("SELECT a.x, foreign_keys FROM a JOIN b ON b.a = a.id, pragma_foreign_keys")
    }
    #expect(rows.map(\.values) == [[.integer(2), .integer(1)]])
  }

  @Test func `A repository that is there observes that something was migrated`() async throws {
    let database = try SQLiteDatabase(path: path)
    let first = try SQLiteRepository<Version.First>(database, table: "car")
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    let observation = first.observeChanges { _ in continuation.yield() }
    try database.migrate([SQLiteMigration("forget", "DELETE FROM car")])
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() != nil)
    observation.cancel()
  }
}
