import CEvocationSQLite
import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What removing models does to lists, and when.
@Suite(.patient) struct ListRemovalTests {
  private struct Refusal: Error {}

  /// How many ids the pages of lists have, of models that are there or not.
  private func idCount(_ app: ListedFile.App) async throws -> Criteria.Scalar? {
    try await number("SELECT sum(count) FROM evocation_pages", app)
  }

  private func number(_ sql: String, _ app: ListedFile.App) async throws -> Criteria.Scalar? {
    try await app.database.read { try $0.rows(sql).first?.values.first }
  }

  /// How a model is removed.
  enum Removal: CaseIterable { case one, several, criteria, page }

  @Test(arguments: Removal.allCases)
  func `Removing models writes no page of a list, and the next look takes them out`(
    _ removal: Removal
  ) async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    switch removal {
    case .one: _ = try await app.local.removeOne(Listed(4))
    case .several: _ = try await app.local.remove([Listed(4), Listed(11)])
    case .criteria: _ = try await app.local.removeAll(matching: Criteria.Key("id") == 4)
    case .page:
      _ = try await app.local.removeAll(
        matching: (Criteria.Key("id").in([4, 7])).sorted(by: "title").limit(1))
    }
    #expect(try await idCount(app) == .integer(10))
    #expect(await app.window(2..<5).count == 9)
    #expect(try await app.ids() == [1, 2, 3, 5, 6, 7, 8, 9, 10])
    #expect(try await idCount(app) == .integer(9))
    #expect(try await number("SELECT count(*) FROM evocation_removals", app) == .integer(0))
    #expect(try await app.database.check() == [])
  }

  @Test func `Many models at a time leave their lists as they are removed`() async throws {
    let file = try await ListedFile(pages: 60, of: 120)
    let app = try ListedFile.App(file)
    _ = try await app.local.remove((1...51).map { Listed($0) })
    #expect(try await idCount(app) == .integer(69))
    _ = try await app.local.removeAll(matching: Criteria.Key("id") <= 103)
    #expect(try await idCount(app) == .integer(17))
    #expect(try await app.ids() == Array(104...120))
  }

  @Test func `A model that is stored again before anybody looks is in no list, after a start too`()
    async throws
  {
    let file = try await ListedFile(pages: 5, of: 12)
    let first = try ListedFile.App(file)
    for id in [2, 5] {
      _ = try await first.local.removeOne(Listed(id))
      _ = try await first.local.storeOne(Listed(id))
    }
    _ = try await first.local.removeAll(matching: Criteria.Key("id") == 9)
    try await first.write("INSERT INTO listed VALUES (9, 'again')")
    #expect(try await idCount(first) == .integer(10))
    await first.database.close()

    var configuration = SQLiteDatabase.Configuration()
    configuration.isReadOnly = true
    let reading = try SQLiteRepository<Listed>(
      SQLiteDatabase(path: file.folder.path(), configuration: configuration))
    let tag = try await reading.database.read { db in
      try db.rows("SELECT list FROM evocation_pages LIMIT 1").first?.values.first
    }
    guard case .text(let list)? = tag else {
      Issue.record("There is no list.")
      return
    }
    let part = try await reading.part(of: list, in: nil)
    #expect(part?.models.map(\.id) == [1, 3, 4, 6, 7, 8, 10])
    await reading.database.close()

    let app = try ListedFile.App(file)
    #expect(await app.window(0..<4).ids == [1, 3, 4, 6])
    #expect(try await app.ids() == [1, 3, 4, 6, 7, 8, 10])
  }

  @Test func `A page lists a model that was removed before, where the service has it now`()
    async throws
  {
    let file = try await ListedFile(pages: 3, of: 8)
    let app = try ListedFile.App(file)
    _ = try await app.local.remove([Listed(2), Listed(3)])
    file.service.items = [1, 4, 5, 6, 7, 8, 2, 3].map { Listed($0, "t\($0)") }
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [1, 4, 5, 6, 2, 3])
    _ = try await app.local.removeOne(Listed(3))
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(try await app.ids() == [1, 4])
    #expect(try await app.local.find(Criteria()).value.map(\.id) == [1, 4])
  }

  @Test func `A page lists what was removed while it was fetched, where the service has it`()
    async throws
  {
    let file = try await ListedFile(pages: 3, of: 8)
    let app = try ListedFile.App(file)
    #expect(try await app.ids() == [1, 2, 3, 4, 5, 6])
    file.service.items = [1, 4, 5, 6, 7, 8, 2, 3].map { Listed($0, "t\($0)") }
    let gate = Gate()
    file.service.gate = gate
    async let ending = app.list.goToNextPage()
    #expect(await gate.arrivals(1))
    _ = try await app.local.remove([Listed(2), Listed(3)])
    file.service.gate = nil
    gate.open()
    #expect(await ending == .successful)
    #expect(try await app.ids() == [1, 4, 5, 6, 2, 3])
  }

  @Test func `A file of a version that recorded no removals gets a place for them`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    try drop("evocation_removals", file)
    let app = try ListedFile.App(file)
    #expect(try await app.ids() == Array(1...10))
    // What is undone made no place either.
    await #expect(throws: Refusal.self) {
      try await app.database.transaction { scope in
        try PageTable(scope.connection, app.local.table.plan).unlist([.integer(4)])
        throw Refusal()
      }
    }
    _ = try await app.local.removeOne(Listed(4))
    _ = try await app.local.storeOne(Listed(4))
    #expect(try await app.ids() == [1, 2, 3, 5, 6, 7, 8, 9, 10])
  }

  private func drop(_ table: String, _ file: ListedFile) throws {
    try run("DROP TABLE \(table)", file)
  }

  /// Runs SQL as a program does that knows nothing of lists.
  private func run(_ sql: String, _ file: ListedFile) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    #expect(sqlite3_open(file.folder.path(), &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(sql)")
  }

  @Test(arguments: [
    "UPDATE listed SET title = 'x' WHERE id = 1", "INSERT INTO listed VALUES (91, 'x')",
    "INSERT INTO listed VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET title = 'x'",
    "INSERT INTO other VALUES (1)", "DELETE FROM other", "UPDATE other SET id = 9",
  ])
  func `SQL that removes no model of a table does not look through its lists`(
    _ sql: String
  ) async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    try await app.write(
      "CREATE TABLE other (id INTEGER PRIMARY KEY)", "INSERT INTO other VALUES (5)")
    // Whoever looks through the lists finds this one missing.
    try run("DELETE FROM listed WHERE id = 7", file)
    try await app.write(sql)
    #expect(try await idCount(app) == .integer(10))
    try await app.write("DELETE FROM listed WHERE id = 8")
    #expect(try await idCount(app) == .integer(8))
    #expect(try await app.ids() == [1, 2, 3, 4, 5, 6, 9, 10])
  }

  @Test(arguments: [
    "DELETE FROM listed WHERE id = 7", "delete from LISTED where ID = 7",
    "DELETE FROM listed WHERE id = 7 RETURNING id", "UPDATE listed SET rowid = 70 WHERE id = 7",
    "UPDATE listed SET ID = 70 WHERE id = 7",
    "WITH gone AS (SELECT 7 AS id) DELETE FROM listed WHERE id IN (SELECT id FROM gone)",
    "DELETE FROM shown WHERE id = 7", "DELETE FROM parent", "UPDATE parent SET id = 70",
    "INSERT INTO causes VALUES (7)", "INSERT INTO replacing VALUES (7)",
    "UPDATE OR FAIL listed SET id = CASE id WHEN 7 THEN 70 WHEN 10 THEN 1 ELSE id END WHERE id > 6",
    "UPDATE sqlite_schema SET sql = sql WHERE name = 'listed'",
  ])
  func `A model leaves its lists by whichever SQL it goes`(_ sql: String) async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    try await app.write(
      "CREATE VIEW shown AS SELECT * FROM listed",
      """
      CREATE TRIGGER shownGoes INSTEAD OF DELETE ON shown BEGIN DELETE FROM listed WHERE id = old.id; END
      """,
      "CREATE TABLE parent (id INTEGER PRIMARY KEY)", "INSERT INTO parent VALUES (7)",
      """
      CREATE TRIGGER parentGoes AFTER DELETE ON parent BEGIN DELETE FROM listed WHERE id = old.id; END
      """,
      """
      CREATE TRIGGER parentMoves AFTER UPDATE ON parent BEGIN UPDATE listed SET id = new.id WHERE id = \
      old.id; END
      """,
      "CREATE TABLE causes (id INTEGER)", "CREATE TABLE replacing (id INTEGER)",
      """
      CREATE TRIGGER causesGo AFTER INSERT ON causes BEGIN DELETE FROM listed WHERE id = new.id; END
      """,
      "CREATE UNIQUE INDEX titles ON listed (title)")
    if sql.contains("replacing") {
      try await app.write(
        """
        CREATE TRIGGER makesRoom AFTER INSERT ON replacing BEGIN INSERT OR REPLACE INTO listed VALUES \
        (77, 't' || new.id); END
        """)
    }
    let isSchema = sql.contains("sqlite_schema")
    if isSchema { try run("DELETE FROM listed WHERE id = 7", file) }
    try await app.database.write { db in
      if isSchema { try db.execute("PRAGMA writable_schema = ON") }
      // The rest of the transaction stays where a statement fails halfway.
      do { _ = try db.rows(sql) } catch let error as SQLiteError where error.code == .constraint {}
      if isSchema { try db.execute("PRAGMA writable_schema = OFF") }
    }
    #expect(try await idCount(app) == .integer(9))
    try await app.write("INSERT OR IGNORE INTO listed VALUES (7, 'again')")
    #expect(try await app.ids() == [1, 2, 3, 4, 5, 6, 8, 9, 10])
  }

  @Test func `A foreign key takes models out of their lists where the app's SQL starts it`()
    async throws
  {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(
      file,
      migrations: [
        SQLiteMigration(
          "refer", "CREATE TABLE shelf (id INTEGER PRIMARY KEY)",
          "INSERT INTO shelf VALUES (1), (2)",
          """
          CREATE TABLE newListed (id INTEGER NOT NULL, title TEXT NOT NULL, shelf INTEGER REFERENCES shelf \
          ON DELETE CASCADE, PRIMARY KEY (id))
          """,
          "INSERT INTO newListed SELECT id, title, 1 + (id IN (3, 7)) FROM listed",
          "DROP TABLE listed", "ALTER TABLE newListed RENAME TO listed")
      ])
    #expect(try await app.ids() == Array(1...10))
    try await app.write("DELETE FROM shelf WHERE id = 2")
    #expect(try await idCount(app) == .integer(8))
  }

  @Test func `A migration finds no removed id in the lists`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let first = try ListedFile.App(file)
    _ = try await first.local.removeOne(Listed(4))
    _ = try await first.local.storeOne(Listed(4))
    await first.database.close()
    let app = try ListedFile.App(
      file,
      migrations: [
        SQLiteMigration("count") { db in
          let counts = try db.rows("SELECT sum(count) FROM evocation_pages")
          try db.execute("UPDATE listed SET title = ? WHERE id = 1", [counts[0].values[0]])
        }
      ])
    #expect(try await app.local.findOne(["id": 1]).value?.title == "9")
  }
}
