import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Files that say of a sign-out what nobody has written there.
@Suite(.patient) struct SignOutIntentTests {
  private struct Note: Codable, Identifiable, Sendable, Equatable { var id: Int }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a file with a note, and with a row that says what is given, if anything.
  private func make(
    _ name: String, id: String = "x", isDone: Bool = false, _ intent: String?
  )
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path(name))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    try await database.write { db in
      try db.execute("CREATE TABLE own (id INTEGER)")
      try db.execute("INSERT INTO own VALUES (1)")
      try db.execute(
        "INSERT INTO evocation_sign_outs (id, isDone, intent) VALUES (?, ?, ?)",
        [id, isDone, intent.map { Data($0.utf8) }])
    }
    await database.close()
  }

  private func count(_ name: String, _ table: String = "note") async throws -> Int {
    let database = try SQLiteDatabase(path: folder.path(name))
    let rows = try await database.read { try $0.rows("SELECT 1 FROM \(table)") }
    await database.close()
    return rows.count
  }

  private func content(_ names: [String]) throws -> [Data] {
    try names.map { try Data(contentsOf: URL(filePath: folder.path($0))) }
  }

  private static func intent(
    tables: String = "[\"note\"]", first: String? = nil, fellows: [String] = []
  ) -> String {
    let fellows = fellows.map { "{\"path\":\"\($0)\",\"tables\":[\"note\"]}" }
    let first = first.map { ",\"first\":\"\($0)\"" } ?? ""
    let others = fellows.joined(separator: ",")
    return "{\"tables\":\(tables),\"unsent\":\"go\"\(first),\"fellows\":[\(others)]}"
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{\"tables\":1}", intent(tables: "[1]"), intent(first: "../a"),
    ])
  func `What cannot be an intent is forgotten`(intent: String) async throws {
    try await make("a", intent)
    let isOfItself = intent.contains("first")
    #expect(try await count("a") == (isOfItself ? 0 : 1))
    #expect(try await count("a", "evocation_sign_outs WHERE intent IS NOT NULL") == 0)
  }

  @Test func `Tables of the library, of SQLite, and those that are not there are left alone`()
    async throws
  {
    let tables = """
      ["evocation_format", "EVOCATION_sign_outs", "sqlite_schema", "sqlite_master", "none", \
      "x\\"; DROP TABLE own; --", "NOTE"]
      """
    try await make("a", Self.intent(tables: tables))
    #expect(try await count("a") == 0)
    #expect(try await count("a", "own") == 1)
    #expect(try await count("a", "evocation_format") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE isDone AND intent IS NULL") == 1)
  }

  @Test func `Of the files that it names, those of Evocation alone are emptied`() async throws {
    try await make("other", id: "y", nil)
    try await make("done", isDone: true, nil)
    try Data("no database at all, but long enough to be looked into".utf8)
      .write(to: URL(filePath: folder.path("text")))
    let database = try SQLiteDatabase(path: folder.path("plain"))
    try await database.write { try $0.execute("CREATE TABLE note (id INTEGER)") }
    await database.close()
    let before = try content(["done", "text", "plain"])
    let names = ["other", "done", "text", "plain", "none", "none/none", "", "."]
    try await make("a", Self.intent(fellows: names))
    #expect(try await count("a") == 0)
    #expect(try content(["done", "text", "plain"]) == before)
    #expect(try await count("other") == 0)
    #expect(try await count("done") == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
  }

  @Test func `A file is emptied once for each sign-out, however often one says so`() async throws {
    try await make("b", nil)
    // Of a name that is a folder nobody knows whether it will be a file later.
    try await make("a", Self.intent(fellows: ["b", "."]))
    #expect(try await count("a") + count("b") == 0)
    for name in ["a", "b"] {
      let database = try SQLiteDatabase(path: folder.path(name))
      try await SQLiteRepository<Note>(database).store([Note(id: 2)])
      await database.close()
    }
    #expect(try await count("a") == 1)
    #expect(try await count("b") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE intent IS NOT NULL") == 1)
  }

  @Test func `A file that cannot be emptied now is emptied later`() async throws {
    try await make("b", nil)
    try await make("a", Self.intent(fellows: ["b"]))
    let b = try SQLiteDatabase(path: folder.path("b"))
    let trigger =
      "CREATE TRIGGER keeps BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'kept'); END"
    try await b.write { try $0.execute(trigger) }
    #expect(try await count("a") == 0)
    #expect(try await count("b") == 1)
    try await b.write { try $0.execute("DROP TRIGGER keeps") }
    #expect(try await count("a") == 0)
    #expect(try await count("b") == 0)
    #expect(try await count("a", "evocation_sign_outs WHERE intent IS NOT NULL") == 0)
  }
}
