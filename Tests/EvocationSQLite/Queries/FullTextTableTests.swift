import CEvocationSQLite
import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private typealias Key = Criteria.Key

/// A key of two columns, in a table that has no numbers.
private struct Page: Codable, Identifiable, Hashable, Sendable, SQLiteModel {
  static let key: [Criteria.Key] = ["book", "number"]
  static let indexes: [SQLiteIndex] = [.fullText(\Page.text, \.note?.text), "number"]

  var book: String
  var number: Int
  var text: String
  var key0 = 0
  var note: Note?
  var id: [String] { [book, "\(number)"] }

  struct Note: Codable, Hashable, Sendable { var text: String }
}

private struct Line: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var text: String
}

private struct OtherLine: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var text: String
  var more: String?
}

/// The index follows whatever changes the table.
@Suite(.patient) struct FullTextTableTests {
  private let folder: TemporaryFolder
  private let path: String
  private let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
    database = try SQLiteDatabase(path: path)
  }

  private func lines(_ database: SQLiteDatabase? = nil) throws -> SQLiteRepository<Line> {
    try SQLiteRepository(database ?? self.database, indexes: [.fullText(\Line.text)])
  }

  /// The names of what a file has of full-text indexes, without the tables inside FTS5's own.
  private func names(_ database: SQLiteDatabase? = nil) async throws -> [String] {
    try await (database ?? self.database).read { db in
      try db.rows(
        """
        SELECT name FROM sqlite_schema WHERE name LIKE 'evocation\\_text%' ESCAPE '\\' AND name NOT LIKE \
        '%)\\_%' ESCAPE '\\' OR name LIKE 'evocation\\_numbers%' ESCAPE '\\' ORDER BY name
        """
      ).compactMap { row in
        guard case .text(let name)? = row["name"] else { return nil }
        return name
      }
    }
  }

  @Test func `Every way to write keeps the index, and by keys of any kind`() async throws {
    var random = SeededGenerator("writes under a full-text index")
    let pages = try SQLiteRepository<Page>(database)
    let lines = try lines()
    let words = ["fox", "dog", "tram", "quick", "brown", ""]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<random.count(0...3)).map { _ in random.pick(words) }.joined(separator: " ")
    }
    for _ in 0..<60 {
      let some = (0..<random.count(1...70)).map { _ in
        Page(
          book: random.pick(["a", "A", "é'\""]), number: random.count(0...9),
          text: text(&random), note: random.chance(50) ? nil : .init(text: text(&random)))
      }
      switch random.count(0...5) {
      case 0: try await pages.storeOrUpdate(some)
      case 1: try await pages.update(some)
      case 2: try await pages.remove(Array(some.prefix(3)))
      case 3: _ = try await pages.mirror(some, for: Key("number") < 5)
      case 4: try await pages.removeAll(matching: .matching(random.pick(words)).limit(2))
      default: _ = try? await pages.storeOne(some[0])
      }
      try await lines.storeOrUpdate(some.map { Line(id: $0.number, text: $0.text) })
      try await lines.removeAll(matching: Key("id") == random.count(0...9))
      for word in words where !word.isEmpty {
        let all = try await pages.find(Criteria()).value
        let wanted = all.filter {
          ($0.text + " " + ($0.note?.text ?? "")).split(separator: " ").contains { $0 == word }
        }
        #expect(try await Set(pages.find(.matching(word)).value) == Set(wanted))
        let allLines = try await lines.find(Criteria()).value
        #expect(
          try await lines.find(.matching(word).sorted(by: "id")).value
            == allLines.filter { $0.text.contains(word) })
      }
    }
    #expect(try await database.check() == [])
  }

  @Test func `Your own SQL keeps the index too, also where it replaces rows`() async throws {
    let lines = try lines()
    try await lines.store([Line(id: 1, text: "fox"), Line(id: 2, text: "dog")])
    let pages = try SQLiteRepository<Page>(database)
    try await pages.store([Page(book: "a", number: 1, text: "fox")])
    try await database.write { db in
      try db.execute("INSERT OR REPLACE INTO line (id, text) VALUES (1, 'tram')")
      try db.execute("UPDATE line SET id = 5 WHERE id = 2")
      try db.execute(
        """
        INSERT OR REPLACE INTO page (book, number, text, key0) VALUES ('a', 1, 'tram', 0), ('b', 1, \
        'dog', 0)
        """)
      try db.execute("UPDATE OR REPLACE page SET book = 'a' WHERE book = 'b'")
    }
    #expect(try await lines.find(.matching("fox")).value == [])
    #expect(try await lines.find(.matching("tram")).value == [Line(id: 1, text: "tram")])
    #expect(try await lines.find(.matching("dog")).value == [Line(id: 5, text: "dog")])
    #expect(try await pages.count(.matching("fox")) == 0)
    #expect(try await pages.count(.matching("tram")) == 0)
    #expect(try await pages.find(.matching("dog")).value.map(\.book) == ["a"])
    try await database.write { db in
      // SQLite deletes no row with a trigger that it replaces for another key.
      try db.execute("CREATE UNIQUE INDEX texts ON line (text)")
      try db.execute("INSERT OR REPLACE INTO line (id, text) VALUES (7, 'dog')")
      try db.execute("INSERT INTO line (id, text) VALUES (5, 'bus')")
    }
    #expect(try await lines.find(.matching("dog")).value == [Line(id: 7, text: "dog")])
    #expect(try await lines.find(.matching("bus")).value == [Line(id: 5, text: "bus")])
    try await database.write { db in try db.execute("DELETE FROM line") }
    #expect(try await lines.count(.matching("dog")) == 0)
    #expect(try await database.check() == [])
  }

  @Test func `An index is made of the rows that are there, and stays as it is at the next start`()
    async throws
  {
    let plain = try SQLiteRepository<Line>(database)
    try await plain.store((0..<100).map { Line(id: $0, text: $0 == 7 ? "fox" : "dog") })
    #expect(try await names() == [])
    let lines = try lines()
    #expect(try await lines.find(.matching("fox")).value.map(\.id) == [7])
    let made = [
      "evocation_text(line)", "evocation_text(line) delete", "evocation_text(line) insert",
      "evocation_text(line) update",
    ]
    #expect(try await names() == made)
    let version = try await database.read { try $0.rows("PRAGMA schema_version").map(\.values) }
    _ = try self.lines()
    _ = try SQLiteRepository<Line>(database)
    #expect(try await names() == made)
    #expect(
      try await database.read { try $0.rows("PRAGMA schema_version").map(\.values) } == version)
    _ = try await plain.storeOne(Line(id: 100, text: "fox"))
    #expect(try await lines.count(.matching("fox")) == 2)
  }

  @Test func `An SQLite without FTS5 is told of at the start`() async throws {
    try await database.writing { _ = sqlite3_drop_modules($0.handle, nil) }
    #expect {
      try lines()
    } throws: { error in
      "\(error)"
        == "Making the full-text index of the table \"line\" failed: this SQLite was built "
        + "without FTS5; link one that has it, or remove SQLiteIndex.fullText from the indexes."
    }
  }

  @Test func `Another declaration is another index`() async throws {
    try await lines().store([Line(id: 1, text: "fox")])
    try await database.write { try $0.execute("ALTER TABLE line ADD COLUMN more TEXT") }
    let others = try SQLiteRepository<OtherLine>(
      SQLiteDatabase(path: path), table: "line", indexes: [.fullText("text", "more")])
    try await others.update([OtherLine(id: 1, text: "dog", more: "fox")])
    #expect(try await others.count(.matching("dog fox")) == 1)
    #expect(try await names(others.database).count == 4)
  }

  @Test func `A renamed table has its index, and its former name may be used again`() async throws {
    try await lines().store([Line(id: 1, text: "fox")])
    let later = try SQLiteDatabase(path: path)
    try later.migrate([SQLiteMigration("rename", renaming: "line", to: "row")])
    try await later.write { try $0.execute("INSERT INTO row (id, text) VALUES (2, 'fox')") }
    let again = try lines(later)
    let rows = try SQLiteRepository<Line>(later, table: "row", indexes: [.fullText("text")])
    #expect(try await again.count(.matching("fox")) == 0)
    #expect(try await rows.find(.matching("fox")).value.map(\.id) == [1, 2])
    try await again.store([Line(id: 9, text: "fox")])
    #expect(try await again.find(.matching("fox")).value.map(\.id) == [9])
    #expect(try await rows.count(.matching("fox")) == 2)
    #expect(try await later.check() == [])
  }

  @Test func `A migration that makes the table again, or renames a column, loses nothing`()
    async throws
  {
    try await lines().store([Line(id: 1, text: "fox")])
    let later = try SQLiteDatabase(path: path)
    try later.migrate([
      SQLiteMigration(
        "again", "CREATE TABLE new (id INTEGER NOT NULL PRIMARY KEY, text TEXT NOT NULL)",
        "INSERT INTO new SELECT id, text || ' tram' FROM line", "DROP TABLE line",
        "ALTER TABLE new RENAME TO line")
    ])
    let lines = try lines(later)
    #expect(try await lines.count(.matching("fox tram")) == 1)
    try await later.write { db in
      try db.execute("ALTER TABLE line RENAME COLUMN text TO words")
      try db.execute("UPDATE line SET words = 'dog'")
      try db.execute("ALTER TABLE line RENAME COLUMN words TO text")
    }
    #expect(try await self.lines(later).find(.matching("dog")).value.map(\.id) == [1])
  }

  @Test func `A backup, a sign-out and a dropped index leave nothing behind`() async throws {
    let lines = try lines()
    try await lines.store([Line(id: 1, text: "fox")])
    let copy = folder.path("copy.sqlite")
    try await database.backup(to: copy)
    #expect(try await self.lines(SQLiteDatabase(path: copy)).count(.matching("fox")) == 1)
    let evocation = Evocation()
    try evocation.register(Line.self, local: lines)
    try await evocation.signOut(.discard)
    #expect(try await lines.count(.matching("fox")) == 0)
    let words = """
      SELECT block FROM "evocation_text(line)_data" WHERE instr(block, CAST('fox' AS BLOB)) UNION ALL \
      SELECT c0 FROM "evocation_text(line)_content"
      """
    #expect(try await database.read { try $0.rows(words).count } == 0)
    try database.migrate([
      SQLiteMigration(
        "drop words", "DROP TRIGGER IF EXISTS \"evocation_text(line) insert\"",
        "DROP TRIGGER IF EXISTS \"evocation_text(line) update\"",
        "DROP TRIGGER IF EXISTS \"evocation_text(line) delete\"",
        "DROP TABLE IF EXISTS \"evocation_text(line)\"",
        "DROP TABLE IF EXISTS \"evocation_numbers(line)\"")
    ])
    #expect(try await names() == [])
    try await lines.store([Line(id: 1, text: "fox")])
  }
}
