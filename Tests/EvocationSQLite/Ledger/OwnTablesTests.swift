import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// What stands in the library's own tables when something else has written there.
@Suite(.patient) struct OwnTablesTests {
  private static let extremes = [
    "-1", "0", "-9223372036854775808", "9223372036854775807", "0.5", "9e999", "-9e999", "'text'",
    "''",
    "x'00FF'", "NULL",
  ]
  private static let cells = [
    "fetchedAt", "isInvalidated", "usedAt", "size", "source", "requirements", "pages", "tag",
  ].flatMap { column in extremes.map { (column, $0) } }

  private let folder: TemporaryFolder
  private let path: String
  private let clock = ManualClock()
  private let cars = (0..<4).map { Car(id: $0, name: "\($0)", year: 2001) }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  private func start() throws -> CacheStore {
    try CacheStore(.file, path, clock: clock, remote: cars)
  }

  /// Writes into the file, also what the table as it is made does not take.
  private func write(_ table: String, _ column: String, _ value: String) async throws {
    let database = try SQLiteDatabase(path: path)
    try await database.write { db in
      // The same without types and constraints.
      try db.execute("CREATE TABLE loose AS SELECT * FROM \(table) WHERE 0")
      let names = try db.rows("SELECT name FROM pragma_table_info('loose')").compactMap { row in
        if case .text(let name)? = row["name"] { name } else { nil }
      }
      try db.execute("DROP TABLE loose")
      try db.execute("ALTER TABLE \(table) RENAME TO strict")
      try db.execute("CREATE TABLE \(table) (\(names.joined(separator: ", ")))")
      try db.execute("INSERT INTO \(table) SELECT * FROM strict")
      try db.execute("DROP TABLE strict")
      try db.execute("UPDATE \(table) SET \(column) = \(value)")
    }
    await database.close()
  }

  @Test(arguments: [true, false])
  func `No number in the ledger's table can end a cache, or be shown, and the models stay`(
    isStrict: Bool
  ) async throws {
    for (column, value) in Self.cells {
      let place: Comment = "\(column) = \(value)"
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      let first = try start()
      let limits = CacheLimits(count: 1, size: 1_000)
      #expect(try await first.cache(["year": 2001], limits: limits).refresh() == .successful)
      let ledger = try #require(first.database.map { SQLiteFetchLedger($0) })
      if isStrict {
        _ = try? await first.database?.write { db in
          try db.execute("UPDATE evocation_fetches SET \(column) = \(value)")
        }
      }
      #expect(try await ledger.records(prefix: "").values.allSatisfy { $0.size >= 0 }, place)
      await first.database?.close()
      if !isStrict { try await write("evocation_fetches", column, value) }

      let second = try start()
      let cache = second.cache(["year": 2001], maxAge: .seconds(60), limits: limits)
      var states = cache.observe().makeAsyncIterator()
      let state = try #require(await states.next())
      #expect(state.cacheAge.map { $0 < .seconds(4_000 * 366 * 86_400) } ?? true, place)
      _ = try? await cache.value(from: .cache)
      #expect(try await cache.value().count == 4, place)
      #expect(try await cache.refresh(force: true) == .successful, place)
      try await cache.invalidate()
      _ = try await second.cache(["year": 2002], limits: limits).refresh()
      #expect(try await second.ids() == [0, 1, 2, 3], place)
      #expect(try await second.database?.check() == [], place)
      await second.database?.close()
    }
  }

  @Test(arguments: [
    ("fetchedAt", "9e999"), ("fetchedAt", "9223372036854775807"), ("usedAt", "-9e999"),
    ("isInvalidated", "-1"), ("isInvalidated", "0.5"), ("size", "-1"), ("size", "9e999"),
    ("requirements", "'text'"), ("pages", "'text'"), ("pages", "x'00FF'"), ("source", "x'00'"),
  ])
  func `What cannot be true of a fetch counts as never fetched, and is fetched anew`(
    column: String, value: String
  ) async throws {
    let first = try start()
    #expect(try await first.cache(["year": 2001]).refresh() == .successful)
    try await first.database?.write { db in
      _ = try db.execute("UPDATE evocation_fetches SET \(column) = \(value)")
    }
    await first.database?.close()
    let second = try start()
    let ledger = try #require(second.database.map { SQLiteFetchLedger($0) })
    #expect(try await ledger.records(prefix: "").isEmpty)
    let cache = second.cache(["year": 2001])
    await #expect(throws: CacheError.self) { try await cache.value(from: .cache) }
    #expect(try await cache.refreshIfNoCache() == .successful)
    #expect(second.fetches == 1)
    #expect(try await ledger.records(prefix: "").count == 1)
  }

  @Test func `No number of the format ends the process, and a lesser one opens the file`()
    async throws
  {
    for value in Self.extremes {
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
      let database = try SQLiteDatabase(path: path)
      try await SQLiteRepository<Car>(database).store(cars)
      await database.close()
      try await write("evocation_format", "version", value)
      do {
        let opened = try SQLiteDatabase(path: path)
        let held = try SQLiteRepository<Car>(opened)
        #expect(try await held.find(Criteria()).value.count == 4)
        try await held.store([Car(id: 9, name: "9")])
        try await SQLiteFetchLedger(opened).write(FetchRecord(fetchedAt: .now), for: "a")
        #expect(try await held.count() == 5)
        await opened.close()
      } catch let error as SQLiteError {
        #expect(error.code == .newerSchema, "\(value)")
        #expect(value == "9223372036854775807")
      }
    }
  }

  @Test func `A migration is never applied twice, whatever its row says`() async throws {
    let migrations = [
      SQLiteMigration("make the log", "CREATE TABLE log (line TEXT)"),
      SQLiteMigration("first line", "INSERT INTO log VALUES ('first')"),
      SQLiteMigration("second line", "INSERT INTO log VALUES ('second')"),
    ]
    for column in ["position", "name", "appliedAt"] {
      for value in Self.extremes {
        let place: Comment = "\(column) = \(value)"
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        let first = try SQLiteDatabase(path: path)
        try first.migrate(Array(migrations.prefix(2)))
        await first.close()
        try await write(
          "evocation_migrations", column,
          "CASE WHEN name = 'first line' THEN \(value) ELSE \(column) END")
        let second = try SQLiteDatabase(path: path)
        do {
          try second.migrate(migrations)
          #expect(column == "appliedAt", place)
        } catch let error as SQLiteError {
          #expect(
            [.damaged, .schemaMismatch, .newerSchema].contains(error.code), "\(place): \(error)")
        }
        let lines = try await second.read { try $0.rows("SELECT line FROM log") }
        #expect(lines.count == (column == "appliedAt" ? 2 : 1), place)
        await second.close()
      }
    }
  }

  @Test func `Positions that migrations cannot have are told`() async throws {
    let migrations = [SQLiteMigration("make the log", "CREATE TABLE log (line TEXT)")]
    let first = try SQLiteDatabase(path: path)
    try first.migrate(migrations)
    try await first.write { db in
      _ = try db.execute("UPDATE evocation_migrations SET position = -1")
    }
    let error = #expect(throws: SQLiteError.self) { try first.migrate(migrations) }
    #expect(
      error?.description
        == "Reading the migrations in \"\(path)\" failed: evocation_migrations does not hold the "
        + "names of the applied migrations, numbered from 1, so something else wrote there; "
        + "restore the file from a backup, or repair that table.")
  }
}
