import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

/// The samples of the page on SQLite, word for word.
@Suite(.patient) struct SQLitePageTests {
  struct Trip: SQLiteModel {
    static let table = "trips"
    static let key: [Criteria.Key] = ["car", "number"]
    static let indexes: [SQLiteIndex] = ["start", "driver.name", .unique("code")]

    struct Driver: Codable, Sendable { var name: String }

    var car: Int
    var number: Int
    var start: Date
    var driver: Driver?
    var code: String?
    var id: [Int] { [car, number] }
  }

  private struct Car: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var name: String?
    var modelYear: Int?
  }

  @Test func `A model is declared, and read with SQL`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "trips.sqlite").path
    let database = try SQLiteDatabase(path: path)
    let trips = try SQLiteRepository<Trip>(database)
    let since = Date(timeIntervalSince1970: 1_000_000_000)
    try await trips.store([
      Trip(car: 1, number: 1, start: since - 1, driver: .init(name: "a"), code: "x"),
      Trip(car: 1, number: 2, start: since, driver: nil, code: "y"),
    ])
    let perYear = try await database.read { db in
      try db.rows(
        """
        SELECT strftime('%Y', start + 978307200, 'unixepoch') AS year, count(*) AS trips
        FROM trips WHERE start >= ? GROUP BY year
        """, [since])
    }
    try await database.write { db in
      try db.execute("UPDATE trips SET code = NULL WHERE start < ?", [since])
    }
    #expect(perYear.map(\.values) == [[.text("2001"), .integer(1)]])
    #expect(try await trips.find(Criteria()).value.map(\.code) == [nil, "y"])
    #expect(try await trips.find(["driver.name": "a"]).value.map(\.number) == [1])
  }

  private struct Customer: Codable, Identifiable, Sendable {
    var id: Int
    var name: String
    var mail: String
    var city: String
  }

  @Test func `A folded index has text without case and accents`() async throws {
    let name = SQLiteIndex(\Customer.name, folded: true)
    let mail = SQLiteIndex(\Customer.mail, isUnique: true, folded: true)
    let index = SQLiteIndex(\Customer.city, \.name, folded: true)
    let customers = try SQLiteRepository<Customer>(.inMemory(), indexes: [name, mail, index])
    try await customers.store([Customer(id: 1, name: "Zoë", mail: "zoe@a", city: "Zürich")])
    #expect(try await customers.count(Criteria.Key("name").hasPrefix("ZO", options: .like)) == 1)
    await #expect(throws: SQLiteError.self) {
      try await customers.store([Customer(id: 2, name: "b", mail: "ZOE@A", city: "c")])
    }
  }

  private struct Article: SQLiteModel, Equatable {
    static let indexes: [SQLiteIndex] = [.fullText(\Article.title, \.body)]

    var id: UUID
    var title: String
    var body: String
  }

  @Test func `A full-text index finds words, and its words can be counted`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let words = SQLiteIndex.fullText(\Article.title, \.body)
    #expect(Article.indexes == [words])
    let evocation = Evocation.shared
    try evocation.register(Article.self, local: SQLiteRepository(database))
    defer { evocation.unregister(Article.self) }
    let article = Article(id: UUID(), title: "The brown fox", body: "It is quick.")
    _ = try await evocation.store([article, Article(id: UUID(), title: "A", body: "B")]).get()
    let found = try await Evocation.find(Article.self, where: .matching("quick bro*"), limit: 20)
    #expect(found == [article])
    do {
      let words = Criteria.parameter("q", "fox")
      let found = await Evocation.find(model: Article.self, criteria: words.limit(20))
      let text = "\(try #require(found.error))"
      #expect(text.contains("only the service knows"))
    }
    try database.migrate([
      SQLiteMigration(
        "drop the words of articles",
        "DROP TRIGGER IF EXISTS \"evocation_text(article) insert\"",
        "DROP TRIGGER IF EXISTS \"evocation_text(article) update\"",
        "DROP TRIGGER IF EXISTS \"evocation_text(article) delete\"",
        "DROP TABLE IF EXISTS \"evocation_text(article)\"",
        "DROP TABLE IF EXISTS \"evocation_numbers(article)\"")
    ])
    let again = await evocation.find(model: Article.self, criteria: ["title": "A"])
    #expect(again.data?.count == 1)
  }

  @Test func `Tables are migrated before repositories are made`() async throws {
    let database = try SQLiteDatabase.inMemory()
    try await database.write { db in
      try db.execute("CREATE TABLE car (id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INTEGER)")
      try db.execute("INSERT INTO car VALUES (1, ' a ', 2002)")
    }
    let renameYear =
      SQLiteMigration("rename year", renaming: "year", of: "car", to: "modelYear")
    let trimNames = SQLiteMigration("trim names") { db in
      for row in try db.rows("SELECT id, name FROM car") {
        guard case .text(let name)? = row["name"], let id = row["id"] else { continue }
        try db.execute(
          "UPDATE car SET name = ? WHERE id = ?", [name.trimmingCharacters(in: .whitespaces), id])
      }
    }
    try database.migrate([renameYear, trimNames])
    let allowNoName = SQLiteMigration(
      "allow cars without a name",
      "CREATE TABLE newCar (id INTEGER NOT NULL, name TEXT, modelYear INTEGER, PRIMARY KEY (id))",
      "INSERT INTO newCar SELECT id, name, modelYear FROM car",
      "DROP TABLE car",
      "ALTER TABLE newCar RENAME TO car")
    let names = try database.migrate([renameYear, trimNames, allowNoName])
    #expect(names == ["allow cars without a name"])
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 2)])
    #expect(
      try await cars.find(Criteria()).value
        == [Car(id: 1, name: "a", modelYear: 2002), Car(id: 2)])
  }

  @Test func `Ids get another type together with what refers to them`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let id = UUID()
    try await database.write { db in
      try db.execute("CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT)")
      try db.execute("CREATE TABLE comment (id INTEGER PRIMARY KEY, note TEXT)")
      try db.execute("CREATE TABLE topic (id TEXT PRIMARY KEY, name TEXT)")
      try db.execute("INSERT INTO note VALUES (?, 'a')", [id.uuidString])
      try db.execute("INSERT INTO comment VALUES (1, ?)", [id.uuidString])
      try db.execute("INSERT INTO topic VALUES ('topic-3', 'c')")
    }
    let uuids = SQLiteMigration("ids are UUIDs", rekeying: "note", references: ["comment": "note"])
    let numbers = SQLiteMigration("number the topics", rekeying: "topic", as: Int.self) {
      Int($0.dropFirst("topic-".count))
    }
    try database.migrate([uuids, numbers])
    let counts = try await database.read { db in
      try db.rows(
        """
        SELECT (SELECT count(*) FROM note JOIN comment ON comment.note = note.id AND note.id = ?) AS notes,
        (SELECT id FROM topic) AS topic
        """, [id])
    }
    #expect(counts.first?["notes"] == .integer(1))
    #expect(counts.first?["topic"] == .integer(3))
  }

  /// One word, which the app sets by itself.
  private struct Word: CacheDataSource {
    func fetchFreshCache(_ requirements: CacheTag) async throws -> String { requirements.tag }
    func saveCache(_ fetched: String, requirements: CacheTag) async throws {}
    func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(requirements.tag)
        continuation.finish()
      }
    }
  }

  @Test func `A ledger stands in a database`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let source = Word()
    let settings = CacheRepository(source, ledger: SQLiteFetchLedger(database))
    settings.requirements = "word"
    #expect(try await settings.refresh() == .successful)
    let rows = try await database.read { try $0.rows("SELECT tag FROM evocation_fetches") }
    #expect(rows.map(\.values) == [[.text("word")]])
  }

  @Test func `A ledger stands in the user's defaults, and limits are told`() {
    let source = Word()
    let cars = CacheRepository(source, ledger: UserDefaultsFetchLedger())
    #expect(cars.ledger.identity == UserDefaultsFetchLedger().identity)
    let limits = CacheLimits(age: .seconds(30 * 86_400), count: 100, size: 50_000_000)
    #expect(limits.count == 100)
  }

  /// A property of each row of the page's table of columns, in its order.
  private struct Kinds: Codable, Identifiable, Sendable {
    struct Nested: Codable, Sendable { var name: String }

    var id: Int
    var isOn: Bool
    var unsigned: UInt64
    var real: Double
    var text: String
    var date: Date
    var uuid: UUID
    var data: Data
    var decimal: Decimal
    var nested: Nested
  }

  @Test func `Columns are declared as the page's table says, collation included`() async throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/EvocationSQLite/EvocationSQLite.docc/SQLite.md"), encoding: .utf8)
    let table = try #require(page.components(separatedBy: "| property | column | holds |").last)
    let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
    let types = rows.map { $0.split(separator: "|")[1].filter { $0 != "`" } }
    let names = [
      "isOn", "unsigned", "real", "text", "date", "uuid", "data", "decimal", "nested",
    ]
    let expected = zip(names, types).map { name, type in
      "\"\(name)\" \(type.trimmingCharacters(in: .whitespaces)) NOT NULL"
    }
    let database = try SQLiteDatabase.inMemory()
    _ = try SQLiteRepository<Kinds>(database)
    let sql = try await database.read { db in
      try db.rows("SELECT sql FROM sqlite_schema WHERE name = 'kinds'")
    }
    let columns = (["\"id\" INTEGER NOT NULL"] + expected).joined(separator: ", ")
    #expect(types.count == names.count)
    #expect(
      sql.map(\.values) == [[.text("CREATE TABLE \"kinds\" (\(columns), PRIMARY KEY (\"id\"))")]])
  }
}
