import Evocation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// SQL of the app that would change the connection on which it runs.
@Suite(.patient) struct ConnectionSettingTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { _ = try $0.execute("CREATE TABLE note (id INTEGER)") }
  }

  private static let settings = [
    "PRAGMA foreign_keys = 0", "PRAGMA query_only = 1", "pragma case_sensitive_like(1)",
    "/* a */ PRAGMA main.cache_size = 5", "EXPLAIN PRAGMA foreign_keys = 0",
    "PRAGMA temp_store = 2",
    "PRAGMA reverse_unordered_selects = 1", "PRAGMA no_such_pragma = 1",
  ]

  private func refusal(_ sql: String, inWrite: Bool) async -> SQLiteError? {
    await #expect(throws: SQLiteError.self) {
      if inWrite {
        try await database.write { _ = try $0.rows(sql) }
      } else {
        try await database.read { _ = try $0.rows(sql) }
      }
    }
  }

  @Test(arguments: settings, [false, true])
  func `What sets one connection of several is refused`(sql: String, inWrite: Bool) async throws {
    let error = await refusal(sql, inWrite: inWrite)
    #expect(error?.code == .misuse)
    #expect(error?.description.contains(" would change one connection of the database") == true)
    for name in ["foreign_keys", "query_only", "cache_size"] {
      let values = try await [
        database.read { try $0.rows("PRAGMA \(name)").map(\.values) },
        database.write { try $0.rows("PRAGMA \(name)").map(\.values) },
      ]
      let expected: Int64 = ["foreign_keys": 1, "query_only": 0, "cache_size": -8192][name] ?? 0
      #expect(values == [[[.integer(expected)]], [[.integer(expected)]]], "\(name)")
    }
    #expect(
      try await database.read { try $0.rows("SELECT 'A' LIKE 'a'") }[0].values == [.integer(1)])
  }

  @Test func `The sentence says where to set it`() async throws {
    #expect(
      await refusal("PRAGMA cache_size = 5", inWrite: false)?.description
        == "Running a statement in \"\(folder.path())\" failed: PRAGMA cache_size = … would change one "
        + "connection of the database and no other; put it into connectionStatements of the "
        + "configuration.")
    #expect(
      await refusal("ATTACH ':memory:' AS other", inWrite: true)?.description
        == "Running a statement in \"\(folder.path())\" failed: ATTACH would change one connection of "
        + "the database and no other; put it into connectionStatements of the configuration.")
    #expect(
      await refusal("COMMIT", inWrite: false)?.description
        == "Running a statement in \"\(folder.path())\" failed: read is a transaction already; leave "
        + "BEGIN, COMMIT and ROLLBACK to it.")
  }

  @Test(arguments: [
    "PRAGMA user_version = 3", "PRAGMA wal_checkpoint", "PRAGMA optimize",
    "CREATE TEMP TABLE a (b)",
    "PRAGMA defer_foreign_keys = ON",
  ])
  func `What writes is refused in read`(sql: String) async throws {
    let error = await refusal(sql, inWrite: false)
    #expect(error?.code == .readOnly)
    #expect(
      error?.description
        == "Running a statement in \"\(folder.path())\" failed: it writes, and read only reads; use "
        + "write.")
  }

  @Test(arguments: [
    "PRAGMA journal_mode", "PRAGMA table_info(note)", "PRAGMA foreign_key_list(note)",
    "PRAGMA integrity_check(5)", "SELECT * FROM pragma_table_info('note')", "PRAGMA cache_size",
  ])
  func `What only asks is allowed`(sql: String) async throws {
    let memory = try SQLiteDatabase.inMemory()
    try await memory.write { _ = try $0.execute("CREATE TABLE note (id INTEGER)") }
    for database in [database, memory] {
      let read = try await database.read { try $0.rows(sql).map(\.values) }
      let written = try await database.write { try $0.rows(sql).map(\.values) }
      #expect(read == written)
    }
  }

  @Test func `What the library has prepared itself is refused to the app`() async throws {
    let sql = "PRAGMA cache_size = -1024"
    try database.blocking("Trying") { try $0.execute(sql, "Trying") }
    #expect(await refusal(sql, inWrite: true)?.code == .misuse)
    let memory = try SQLiteDatabase.inMemory()
    try memory.blocking("Trying") { try $0.execute(sql, "Trying") }
    await #expect(throws: SQLiteError.self) { try await memory.read { _ = try $0.rows(sql) } }
  }

  @Test func `What belongs to the file is set in write and in migrations`() async throws {
    try await database.write { db in
      try db.execute("PRAGMA user_version = 3")
      try db.execute("PRAGMA application_id(7)")
      try db.execute("PRAGMA defer_foreign_keys = ON")
    }
    try database.migrate([
      SQLiteMigration("version", "PRAGMA foreign_keys = OFF", "PRAGMA user_version = 4")
    ])
    let values = try await database.read {
      try ($0.rows("PRAGMA user_version") + $0.rows("PRAGMA application_id")).map(\.values)
    }
    #expect(values == [[.integer(4)], [.integer(7)]])
    #expect(
      try await database.write { try $0.rows("PRAGMA foreign_keys") }[0].values == [.integer(1)])
  }
}
