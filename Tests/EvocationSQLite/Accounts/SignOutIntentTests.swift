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
    tables: String = "[\"note\"]", fellows: [String] = []
  ) -> String {
    let fellows = fellows.map { "{\"path\":\"\($0)\",\"tables\":[\"note\"]}" }
    let others = fellows.joined(separator: ",")
    return "{\"tables\":\(tables),\"unsent\":\"go\",\"fellows\":[\(others)]}"
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{\"tables\":1}", intent(tables: "[1]"),
    ])
  func `What cannot be an intent is forgotten`(intent: String) async throws {
    try await make("a", intent)
    #expect(try await count("a") == 1)
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

  @Test func `Of the files that it names, those of the same sign-out alone are emptied`()
    async throws
  {
    try await make("prepared", nil)
    try await make("other", id: "y", nil)
    try await make("done", isDone: true, nil)
    try Data("no database at all, but long enough to be looked into".utf8)
      .write(to: URL(filePath: folder.path("text")))
    let database = try SQLiteDatabase(path: folder.path("plain"))
    try await database.write { try $0.execute("CREATE TABLE note (id INTEGER)") }
    await database.close()
    let before = try content(["other", "done", "text", "plain"])
    let names = ["other", "prepared", "done", "text", "plain", "none", "none/none", "", "."]
    try await make("a", Self.intent(fellows: names))
    #expect(try await count("a") == 0)
    #expect(try content(["other", "done", "text", "plain"]) == before)
    #expect(try await count("other") == 1)
    #expect(try await count("prepared") == 0)
    #expect(try await count("done") == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
  }

  /// A file that was received, restored or copied may say anything of other files.
  @Test(arguments: ["mine", "./mine", "../folder/mine", "link", "deep/../mine"])
  func `A file from elsewhere changes no other file, and its sign-out is taken back`(
    path: String
  ) async throws {
    let folder = folder.path("folder")
    for name in ["", "/deep"] {
      try FileManager.default.createDirectory(
        atPath: folder + name, withIntermediateDirectories: false)
    }
    try await make("folder/mine", id: "y", isDone: true, nil)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: folder + "/mine")
    let before = try content(["folder/mine"])
    try await make("folder/received", Self.intent(fellows: [path]))
    let database = try SQLiteDatabase(path: folder + "/received")
    #expect(try await SQLiteRepository<Note>(database).count() == 1)
    let rows = try await database.read { try $0.rows("SELECT 1 FROM evocation_sign_outs").count }
    #expect(rows == 0)
    await database.close()
    #expect(try content(["folder/mine"]) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["deep", "link", "mine", "received"])
    #expect(try await count("folder/mine") == 1)
  }

  @Test func `What a file is emptied of, it says itself`() async throws {
    try await make("b", Self.intent(tables: "[\"note\"]", fellows: ["a"]))
    let intent = """
      {"tables":["note"],"unsent":"go","fellows":[{"path":"b","tables":["note","own"]}]}
      """
    try await make("a", intent)
    #expect(try await count("a") + count("b") == 0)
    #expect(try await count("b", "own") == 1)
  }

  @Test func `A file that began to be emptied is finished, though another one was made anew since`()
    async throws
  {
    try await make("done", isDone: true, nil)
    try await make("anew", id: "y", nil)
    try await make("a", Self.intent(fellows: ["done", "anew"]))
    #expect(try await count("a") == 0)
    #expect(try await count("anew") == 1)
    #expect(try await count("done") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE intent IS NOT NULL") == 0)
  }

  @Test func `A backup takes no part in a sign-out that was under way`() async throws {
    try await make("b", Self.intent(fellows: ["a"]))
    let database = try SQLiteDatabase(path: folder.path("a"))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    let intent = Self.intent(fellows: ["b"])
    try await database.write {
      try $0.execute(
        "INSERT INTO evocation_sign_outs (id, isDone, intent) VALUES ('x', 0, ?)",
        [Data(intent.utf8)])
    }
    try await database.backup(to: folder.path("copy"))
    await database.close()
    #expect(try await count("copy") == 1)
    #expect(try await count("copy", "evocation_sign_outs") == 0)
    #expect(try await count("a") == 0)
    #expect(try await count("b") == 0)
    #expect(try await count("copy") == 1)
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
