import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// Files that say of a sign-out what nobody has written there.
@Suite(.patient) struct SignOutMarkTests {
  private struct Note: Codable, Identifiable, Sendable, Equatable { var id: Int }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a file with a note, and with a row that says what is given, if anything.
  private func make(
    _ name: String, _ text: String? = nil
  ) async throws {
    let database = try SQLiteDatabase(path: folder.path(name))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    try await database.write { db in
      try db.execute("CREATE TABLE own (id INTEGER)")
      try db.execute("INSERT INTO own VALUES (1)")
    }
    if let text { try await mark(database, text) }
    await database.close()
  }

  private func mark(
    _ database: SQLiteDatabase, _ text: String?, isDone: Bool = false
  ) async throws {
    try await database.write { db in
      try db.execute(
        "INSERT INTO evocation_sign_outs (id, isDone, intent) VALUES ('x', ?, ?)",
        [isDone, text.map { Data($0.utf8) }])
    }
  }

  private func count(_ name: String, _ table: String = "note") async throws -> Int {
    let database = try SQLiteDatabase(path: folder.path(name))
    let rows = try await database.read { try $0.rows("SELECT 1 FROM \(table)") }
    await database.close()
    return rows.count
  }

  private static func text(tables: String = "[\"note\"]", later: String = "") -> String {
    """
    {"id": "y", "repositories": \(tables), "unsent": "go", "later": [\(later)], "tables": ["note"], \
    "fellows": [{"path": "mine", "tables": ["note"]}]}
    """
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{\"repositories\":1}", text(tables: "[1]"),
      // Of an earlier version, which knew the paths of the others.
      "{\"tables\":[\"note\"],\"unsent\":\"go\",\"fellows\":[]}",
    ])
  func `A file with a mark that cannot be read is not opened, and keeps what it has`(
    text: String
  ) async throws {
    try await make("a", text)
    for _ in 1...2 {
      let error = await #expect(throws: SQLiteError.self) { try await count("a") }
      #expect(error?.code == .damaged)
      #expect(
        error?.description
          == "Opening the database in \"\(folder.path("a"))\" failed: it has the mark of a sign-out that this "
          + "version of the library cannot read, so it may have the models of a user who has "
          + "signed out; open it with the version of the app that wrote it, or delete it.")
    }
    let connection = try Connection.open(
      DatabaseFile(folder.path("a")), .writer, configuration: .init())
    #expect(try connection.integer("SELECT count(*) FROM note") == 1)
    #expect(try connection.integer("SELECT count(*) FROM evocation_sign_outs") == 1)
  }

  @Test(arguments: [nil, "{"])
  func `A file that was emptied, or has no mark, is opened as it is`(text: String?) async throws {
    try await make("a")
    let database = try SQLiteDatabase(path: folder.path("a"))
    try await mark(database, text, isDone: text != nil)
    await database.close()
    #expect(try await count("a") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE isDone = 0") == 0)
  }

  @Test func `Tables of the library, of SQLite, and those that are not there are left alone`()
    async throws
  {
    let tables = """
      ["evocation_format", "EVOCATION_sign_outs", "sqlite_schema", "sqlite_master", "none", \
      "x\\"; DROP TABLE own; --", "NOTE"]
      """
    try await make("a", Self.text(tables: tables))
    #expect(try await count("a") == 0)
    #expect(try await count("a", "own") == 1)
    #expect(try await count("a", "evocation_format") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE isDone AND intent IS NULL") == 1)
  }

  /// A file that was received, restored or copied may say anything of other files.
  @Test(arguments: ["", "\"Note\""])
  func `A file that names others empties none of them, whatever these have`(
    later: String
  ) async throws {
    try await make("mine")
    let before = try Data(contentsOf: URL(filePath: folder.path("mine")))
    try await make("received", Self.text(later: later))
    #expect(try await count("received") == 0)
    #expect(try Data(contentsOf: URL(filePath: folder.path("mine"))) == before)
  }

  @Test func `A backup takes no part in a sign-out that was under way`() async throws {
    try await make("a")
    let database = try SQLiteDatabase(path: folder.path("a"))
    try await mark(database, Self.text())
    try await database.backup(to: folder.path("copy"))
    await database.close()
    #expect(try await count("copy") == 1)
    #expect(try await count("copy", "evocation_sign_outs") == 0)
    #expect(try await count("a") == 0)
    #expect(try await count("copy") == 1)
  }

  @Test func `A file that cannot be emptied is not opened until it can`() async throws {
    let path = folder.path("a")
    let database = try SQLiteDatabase(path: path)
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    let trigger =
      "CREATE TRIGGER keeps BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'kept'); END"
    try await database.write { try $0.execute(trigger) }
    try await mark(database, Self.text())
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .constraint)
    try await database.write { try $0.execute("DROP TRIGGER keeps") }
    await database.close()
    #expect(try await count("a") == 0)
  }
}
