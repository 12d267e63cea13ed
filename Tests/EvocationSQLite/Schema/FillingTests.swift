import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import SQLiteSupport

/// The same model as versions of an app may have it.
private enum Version {
  enum State: String, Codable, CaseIterable { case open, done }

  struct Plain: Codable, Identifiable, Sendable {
    var id: Int
    var state: State
  }

  struct Defaulted: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var state: State
    var priority: Int
    var note: String?
  }

  struct Loose: Codable, Identifiable, Sendable {
    var id: Int
    var note: String?
  }

  struct Required: Codable, Identifiable, Sendable {
    var id: Int
    var note: String
  }
}

extension Version.Defaulted {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    state = try container.decode(Version.State.self, forKey: .state)
    priority = try container.decodeIfPresent(Int.self, forKey: .priority) ?? 4
    note = try container.decodeIfPresent(String.self, forKey: .note)
  }
}

/// What a new version finds in rows that lack a value.
@Suite(.patient) struct FillingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  @discardableResult
  private func with<Value>(_ body: (SQLiteDatabase) async throws -> Value) async throws -> Value {
    let database = try SQLiteDatabase(path: path)
    let value = try await body(database)
    await database.close()
    return value
  }

  private func execute(_ sql: String...) async throws {
    try await with { database in
      try await database.write { db in
        for sql in sql { try db.execute(sql) }
      }
    }
  }

  /// The ids that criteria find by the default, after a start of the newest version.
  private func found() async throws -> [Int] {
    try await with { database in
      let jobs = try SQLiteRepository<Version.Defaulted>(database, table: "job")
      return try await jobs.find(Criteria.Key("priority") == 4).value.map(\.id)
    }
  }

  private func storePlain() async throws {
    try await with { database in
      try await SQLiteRepository<Version.Plain>(database, table: "job")
        .store((1...4).map { .init(id: $0, state: .open) })
    }
  }

  @Test func `A default is written behind a row that cannot be decoded, and into it when it can`()
    async throws
  {
    try await storePlain()
    try await execute("UPDATE job SET state = 'stale' WHERE id = 2")
    #expect(try await found() == [1, 3, 4])
    #expect(try await found() == [1, 3, 4])
    try await execute("UPDATE job SET state = 'done' WHERE id = 2")
    #expect(try await found() == [1, 2, 3, 4])
  }

  @Test func `Rows that a former version left without the default get it at the next start`()
    async throws
  {
    try await storePlain()
    try await execute(
      "ALTER TABLE job ADD COLUMN priority INTEGER", "ALTER TABLE job ADD COLUMN note TEXT",
      "UPDATE job SET priority = 4 WHERE id = 1")
    #expect(try await found() == [1, 2, 3, 4])
    // An app of the version before goes on with the table.
    try await with { database in
      try await SQLiteRepository<Version.Plain>(database, table: "job")
        .store([.init(id: 5, state: .done)])
    }
    #expect(try await found() == [1, 2, 3, 4, 5])
    try await execute("UPDATE job SET priority = NULL WHERE id = 3")
    #expect(try await found() == [1, 2, 3, 4, 5])
    let notes = try await with { database in
      try await database.read { try $0.rows("SELECT 1 FROM job WHERE note IS NULL").count }
    }
    #expect(notes == 5)
  }

  @Test func `A start that has nothing to fill writes nothing`() async throws {
    try await storePlain()
    _ = try await found()
    let watch = try SQLiteDatabase(path: path)
    let version = "PRAGMA data_version"
    let before = try await watch.write { try $0.rows(version).map(\.values) }
    #expect(try await found() == [1, 2, 3, 4])
    #expect(try await watch.write { try $0.rows(version).map(\.values) } == before)
    await watch.close()
  }

  @Test
  func `An optional that becomes required is refused if a row lacks it, and tells the way out`()
    async throws
  {
    try await with { database in
      try await SQLiteRepository<Version.Loose>(database, table: "job")
        .store([.init(id: 1, note: "a"), .init(id: 2, note: nil)])
    }
    for _ in 0..<2 {
      try await with { database in
        let error = #expect(throws: SQLiteError.self) {
          try SQLiteRepository<Version.Required>(database, table: "job")
        }
        #expect(error?.code == .schemaMismatch)
        #expect(
          error?.description
            == "Using the table \"job\" of \"\(path)\" for Required failed: its columns differ: "
            + "\"note\" is null in a row, and may not be; use another name with table:, or change "
            + "the table in a migration, such as UPDATE \"job\" SET \"note\" = '' WHERE \"note\" "
            + "IS NULL.")
      }
    }
    try await with { database in
      try database.migrate([
        SQLiteMigration("fill", "UPDATE \"job\" SET \"note\" = '' WHERE \"note\" IS NULL")
      ])
      let jobs = try SQLiteRepository<Version.Required>(database, table: "job")
      #expect(try await jobs.find(Criteria()).value.map(\.note) == ["a", ""])
    }
    // The version before may write such a row again.
    try await with { database in
      try await SQLiteRepository<Version.Loose>(database, table: "job")
        .store([.init(id: 3, note: nil)])
    }
    try await with { database async throws in
      #expect(throws: SQLiteError.self) {
        try SQLiteRepository<Version.Required>(database, table: "job")
      }
    }
  }

  @Test func `An optional that becomes required is taken if each row has it`() async throws {
    try await with { database in
      try await SQLiteRepository<Version.Loose>(database, table: "job")
        .store([.init(id: 1, note: "a")])
    }
    for id in 2...3 {
      try await with { database in
        let jobs = try SQLiteRepository<Version.Required>(database, table: "job")
        try await jobs.store([.init(id: id, note: "b")])
        #expect(try await jobs.count() == id)
      }
    }
  }
}
