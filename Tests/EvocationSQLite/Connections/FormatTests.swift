import CEvocationSQLite
import Evocation
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct FormatTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test func `A file of format 2 holds what was written into it`() async throws {
    try FileManager.default.copyItem(at: Databases.file(format: 2), to: URL(filePath: path))
    let before = try content(path)
    let database = try SQLiteDatabase(path: path)
    #expect(try database.migrate([FormatFile.migration]) == [])
    let samples = try SQLiteRepository<FormatFile.Sample>(database)
    let wheels = try SQLiteRepository<FormatFile.Wheel>(database)
    #expect(try await samples.find(Criteria()).value == FormatFile.samples)
    #expect(try await wheels.find(Criteria()).value == FormatFile.wheels)
    for sample in FormatFile.samples {
      let places: Criteria = ["place.city": sample.place.city, "decimal": sample.decimal]
      #expect(try await samples.find(places).value == [sample])
    }
    await database.close()
    #expect(try content(path) == before, "Reading a file of the present format writes nothing.")
  }

  @Test func `Format 2 is what is written now`() async throws {
    try await FormatFile.write(to: path)
    let queries = [
      // What columns are for is remembered beside the format: who does not know it overlooks it.
      // The file that is kept has a column more for migrations, which is left as it is, and no table of
      // removed ids. Where the rows of a table are stored is no other format either.
      """
      SELECT type, name, tbl_name, replace(sql, ' WITHOUT ROWID', '') FROM sqlite_schema WHERE tbl_name \
      NOT IN ('evocation_columns', 'evocation_migrations', 'evocation_removals') AND name <> \
      'sqlite_autoindex_samples_1' ORDER BY name
      """,
      "SELECT version FROM evocation_format",
      "SELECT position, name FROM evocation_migrations ORDER BY position",
      "SELECT * FROM samples ORDER BY id",
      "SELECT * FROM wheel ORDER BY car, place",
    ]
    let kept = folder.path("kept.sqlite")
    try FileManager.default.copyItem(at: Databases.file(format: 2), to: URL(filePath: kept))
    for query in queries {
      let rows = try await [path, kept].asyncMap { path in
        try await SQLiteDatabase(path: path).read { try $0.rows(query).map(\.values) }
      }
      #expect(rows[0] == rows[1], "What is written has changed; it is a new format: \(query)")
    }
  }

  /// It makes the file that the tests above read, and runs only where that is asked for.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["EVOCATION_WRITE_FORMAT"] == "1",
      "EVOCATION_WRITE_FORMAT=1 has the file in Fixtures replaced."))
  func `The file of format 2 is written anew, without a log beside it`() async throws {
    try await FormatFile.write(to: path)
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    try #require(written == [URL(filePath: path).lastPathComponent])
    let kept = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fixtures/databases/format-2.sqlite").standardizedFileURL
    try content(path).write(to: kept)
  }

  /// Makes a file of a format that is not known yet.
  private func writeNewer() throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path)
    try database.blocking("Looking") { connection in
      try connection.execute("CREATE TABLE evocation_format (version INTEGER PRIMARY KEY)", "")
      try connection.execute("INSERT INTO evocation_format VALUES (99)", "")
    }
    return database
  }

  private func expectRefusal(_ path: String) {
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .newerSchema)
    #expect(
      error?.description
        == "Opening the database in \"\(path)\" failed: it has the format 99, and this "
        + "version of the library reads formats up to 2; update the app.")
  }

  @Test(arguments: [
    (
      "its outbox has the format 1",
      """
      CREATE TABLE evocation_outbox (id INTEGER PRIMARY KEY, version INTEGER NOT NULL);
      INSERT INTO evocation_outbox VALUES (1, 1)
      """
    ),
    (
      "it has the format 1",
      """
      CREATE TABLE evocation_format (version INTEGER PRIMARY KEY);
      INSERT INTO evocation_format VALUES (1)
      """
    ),
  ])
  func `A file of a format that only betas wrote is refused untouched`(
    reason: String, sql: String
  ) throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    let before = try content(path)
    let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.description
        == "Opening the database in \"\(path)\" failed: \(reason), which only betas of 2.0.0 wrote, "
        + "and this version of the library does not read it; use another path.")
    #expect(try content(path) == before)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `A file of a newer format is refused untouched, whatever its journal`(
    journal: String
  ) async throws {
    let database = try writeNewer()
    try database.blocking("Looking") { try $0.execute("PRAGMA journal_mode = \(journal)", "") }
    await database.close()
    let before = try content(path)
    expectRefusal(path)
    #expect(try content(path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test func `A file of a newer format is refused with a log that nobody has moved into it`()
    async throws
  {
    let database = try writeNewer()
    let copy = folder.path("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    let before = try (content(copy), content(copy + "-wal"))
    #expect(!before.1.isEmpty)
    expectRefusal(copy)
    #expect(try (content(copy), content(copy + "-wal")) == before)
    await database.close()
  }
}

extension Array {
  fileprivate func asyncMap<Value>(
    _ body: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
