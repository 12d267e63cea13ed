import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Files that say of a sign-out what nobody has written there.
@Suite(.patient) struct SignOutPlanTests {
  private struct Note: Codable, Identifiable, Sendable, Equatable { var id: Int }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Makes a file with a note, and with a row that says what is given.
  private func make(
    _ name: String, state: String = "marked", id: String = "x", plan: String
  ) async throws {
    let database = try SQLiteDatabase(path: folder.path(name))
    try await SQLiteRepository<Note>(database).store([Note(id: 1)])
    try await database.write { db in
      try db.execute(
        """
        CREATE TABLE evocation_sign_outs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state \
        TEXT NOT NULL, plan BLOB NOT NULL)
        """)
      try db.execute("CREATE TABLE own (id INTEGER)")
      try db.execute("INSERT INTO own VALUES (1)")
      try db.execute(
        "INSERT INTO evocation_sign_outs (id, state, plan) VALUES (?, ?, ?)",
        [id, state, Data(plan.utf8)])
    }
    await database.close()
  }

  private func count(_ name: String, _ table: String = "note") async throws -> Int {
    let database = try SQLiteDatabase(path: folder.path(name))
    let rows = try await database.read { try $0.rows("SELECT 1 FROM \(table)") }
    await database.close()
    return rows.count
  }

  private static func plan(
    tables: String = "[\"note\"]", first: String? = nil, others: [String] = []
  ) -> String {
    let others = others.map { "\"\($0)\"" }.joined(separator: ",")
    let first = first.map { ",\"first\":\"\($0)\"" } ?? ""
    return "{\"tables\":\(tables),\"unsent\":\"go\"\(first),\"others\":[\(others)]}"
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{\"tables\":1}", plan(tables: "[1]"), plan(),
      String(repeating: " ", count: 2 << 20) + plan(first: "gone.sqlite"),
      plan(first: "gone.sqlite", others: (0..<64).map { "\($0)" }),
    ])
  func `What cannot be a plan, or was never decided, is given up`(plan: String) async throws {
    try await make("a", plan: plan)
    #expect(try await count("a") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE state = 'abandoned'") == 1)
  }

  @Test func `Tables of the library, of SQLite, and those that are not there are left alone`()
    async throws
  {
    let tables = """
      ["evocation_format", "EVOCATION_sign_outs", "sqlite_schema", "sqlite_master", "none", \
      "x\\"; DROP TABLE own; --", "NOTE"]
      """
    try await make("a", plan: Self.plan(tables: tables, first: "gone.sqlite"))
    #expect(try await count("a") == 0)
    #expect(try await count("a", "own") == 1)
    #expect(try await count("a", "evocation_format") == 1)
    #expect(try await count("a", "evocation_sign_outs WHERE state = 'done'") == 1)
  }

  @Test func `Another file that does not carry the same sign-out is not changed`() async throws {
    let folder = folder
    try await make("other", id: "y", plan: Self.plan(first: "gone.sqlite"))
    let other = folder.path("other")
    try Data("no database at all, but long enough to be looked into".utf8)
      .write(to: URL(filePath: folder.path("text")))
    let database = try SQLiteDatabase(path: folder.path("plain"))
    try await database.write { try $0.execute("CREATE TABLE note (id INTEGER)") }
    await database.close()
    let names = ["other", "text", "plain", ".", "../..", "none/none", ""]
    let before = try ["other", "text", "plain"].map {
      try Data(contentsOf: URL(filePath: folder.path($0)))
    }
    try await make("a", state: "decided", plan: Self.plan(others: names))
    #expect(try await count("a") == 1)
    let after = try ["other", "text", "plain"].map {
      try Data(contentsOf: URL(filePath: folder.path($0)))
    }
    #expect(after == before)
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [("decided", 0), ("done", 0), ("abandoned", 1), ("marked", 1)])
  func `The file that decides says whether the others are emptied`(
    state: String, left: Int
  ) async throws {
    try await make("a", state: state, plan: Self.plan(others: ["b"]))
    try await make("b", plan: Self.plan(first: "a"))
    #expect(try await count("b") == left)
    // Its own part was done, or given up, before.
    #expect(try await count("a") == 1)
    #expect(try await count("b") == left)
    for name in ["a", "b"] {
      let pending = "evocation_sign_outs WHERE state IN ('marked', 'decided')"
      #expect(try await count(name, pending) == 0, "\(name)")
    }
  }
}
