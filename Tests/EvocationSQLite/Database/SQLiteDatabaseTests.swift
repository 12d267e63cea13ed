import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SQLiteDatabaseTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { db in
      _ = try db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, body)")
    }
  }

  @Test func `What is written is read`() async throws {
    let changed = try await database.write { db in
      try db.execute("INSERT INTO note VALUES (?, ?), (?, ?)", [1, "a\0b", 2, nil])
    }
    #expect(changed == 2)
    let rows = try await database.read { try $0.rows("SELECT * FROM note ORDER BY id") }
    #expect(rows.map(\.values) == [[.integer(1), .text("a\0b")], [.integer(2), .null]])
    #expect(rows.first?["body"] == .text("a\0b"))
    #expect(rows.first?["nothing"] == nil)
    #expect(rows.first?.columns == ["id", "body"])
  }

  @Test func `Values come back in the form in which columns hold them`() async throws {
    let values: [(any CriteriaValue)?] = [
      true, Int64.min, UInt64.max, Double.infinity, Double.nan, "", Data(), Data([0, 1]),
      Date(timeIntervalSinceReferenceDate: 0.1), Decimal(string: "12.5"), URL(string: "a:b"),
    ]
    let row = try await database.read { db in
      try db.rows("SELECT ?,?,?,?,?,?,?,?,?,?,?", values)
    }
    #expect(
      row.first?.values == [
        .integer(1), .integer(.min), .data(Data(repeating: 255, count: 8)), .real(.infinity),
        .data(Data("NaN".utf8)), .text(""), .data(Data()), .data(Data([0, 1])), .real(0.1),
        .text("12.5"), .text("a:b"),
      ])
  }

  @Test func `SQL that looks like other SQL, and has other bytes, is carried out as it is`()
    async throws
  {
    for text in ["caf\u{E9}", "cafe\u{301}"] {
      let rows = try await database.read { try $0.rows("SELECT length('\(text)')") }
      #expect(rows.first?.values == [.integer(Int64(text.unicodeScalars.count))])
    }
  }

  @Test func `A write that throws leaves nothing behind`() async throws {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await database.write { db in
        try db.execute("INSERT INTO note VALUES (1, 'x')")
        throw Refusal()
      }
    }
    let rows = try await database.read { try $0.rows("SELECT * FROM note") }
    #expect(rows.isEmpty)
  }

  @Test func `A write that ends its transaction itself is refused`() async {
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { db in try db.execute("COMMIT") }
    }
    #expect(error?.code == .misuse)
    #expect(error?.description.contains("your app ended it inside the closure") == true)
  }

  @Test func `A read cannot write`() async {
    let error = await #expect(throws: SQLiteError.self) {
      try await database.read { db in _ = try db.rows("DELETE FROM note RETURNING id") }
    }
    #expect(
      error?.description
        == "Running a statement in \"\(folder.path())\" failed: it writes, and read only reads; "
        + "use write.")
    #expect(error?.code == .readOnly)
  }

  @Test(arguments: [
    ("SELECT ?", "Running", "it has 1 parameters, and 0 values were given"),
    ("SELECT 1; SELECT 2", "Preparing", several),
    ("SELECT 1\0", "Preparing", several),
    ("", "Preparing", "the SQL is empty"),
    ("SELEC", "Preparing", "near \"SELEC\": syntax error"),
    ("SELECT * FROM absent", "Preparing", "no such table: absent"),
  ])
  func `A wrong statement is refused with a sentence`(
    sql: String, action: String, reason: String
  ) async {
    let error = await #expect(throws: SQLiteError.self) {
      try await database.read { db in try db.rows(sql) }
    }
    #expect(error?.code == .misuse)
    #expect(
      error?.description == "\(action) a statement in \"\(folder.path())\" failed: \(reason).")
    #expect(error?.failureKind == .permanent)
  }

  private static let several =
    "the SQL holds more than one statement, or a NUL; pass one statement per call"

  @Test
  func `An error has SQLite's own code where SQLite refused, and none where it was not asked`()
    async throws
  {
    try await database.write { try $0.execute("INSERT INTO note VALUES (77, 'a')") }
    func code(_ sql: String) async -> Int32? {
      let error = await #expect(throws: SQLiteError.self) {
        try await database.write { try $0.execute(sql) }
      }
      return error?.resultCode
    }
    let (constraint, error): (Int32, Int32) = (1555, 1)
    #expect(await code("INSERT INTO note VALUES (77, 'b')") == constraint)
    #expect(await code("SELEC") == error)
    #expect(await code("SELECT ?") == nil)
  }

  @Test func `A checkpoint by SQL is refused within a write, which holds the table`() async throws {
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { try $0.execute("PRAGMA wal_checkpoint") }
    }
    #expect(error?.code == .locked)
    #expect(error?.failureKind == .transient)
    #expect(
      error?.description == "Running a statement in \"\(folder.path())\" failed: another "
        + "statement of this process uses the table; try again.")
  }

  @Test func `A constraint is told without the user's data`() async throws {
    try await database.write { db in _ = try db.execute("INSERT INTO note VALUES (77, 'secret')") }
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { db in
        try db.execute("INSERT INTO note VALUES (?, ?)", [77, "secret"])
      }
    }
    #expect(error?.code == .constraint)
    #expect(
      error?.description == "Running a statement in \"\(folder.path())\" failed: "
        + "the values of note.id have to be unique, and two rows would have the same; change one of "
        + "them.")
  }

  @Test func `A closed database refuses calls, and closing waits for those that run`() async throws
  {
    let gate = ThreadGate()
    let database = database
    async let running = database.read { db in
      gate.arrive()
      gate.waitForRelease()
      return try db.rows("SELECT 1").count
    }
    await gate.waitForArrival()
    async let closed: Void = database.close()
    gate.release()
    #expect(try await running == 1)
    await closed
    let error = await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.rows("SELECT 1") }
    }
    #expect(error?.code == .closed)
    await database.close()
  }

  @Test func `A database in memory is written and read through one connection`() async throws {
    let memory = try SQLiteDatabase.inMemory()
    #expect(memory.path == nil)
    try await memory.write { _ = try $0.execute("CREATE TABLE t AS SELECT 1 AS a") }
    #expect(try await memory.read { try $0.rows("SELECT a FROM t").count } == 1)
    let error = await #expect(throws: SQLiteError.self) {
      try await memory.read { _ = try $0.execute("DELETE FROM t") }
    }
    #expect(error?.code == .readOnly)
  }

  @Test func `A statement that was prepared before gives the columns that came later`() async throws
  {
    let columns = try await database.write { db in
      try db.execute("INSERT INTO note VALUES (1, 'a')")
      let before = try db.rows("SELECT * FROM note").map(\.columns)
      try db.execute("ALTER TABLE note ADD COLUMN more DEFAULT 5")
      return before + (try db.rows("SELECT * FROM note").map(\.columns))
    }
    #expect(columns == [["id", "body"], ["id", "body", "more"]])
  }
}
