import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

import enum Fixtures.Databases

@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

@Suite(.patient) struct SQLiteFetchLedgerTests {
  private let folder: TemporaryFolder
  private let path: String
  private let record = FetchRecord(
    fetchedAt: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), isInvalidated: true,
    usedAt: .distantFuture, size: 3, source: "a\0b", requirements: Data([0, 255]))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  @Test(arguments: [true, false])
  func `A ledger in a database does what a dictionary does`(isInFile: Bool) async throws {
    let database = isInFile ? try SQLiteDatabase(path: path) : try SQLiteDatabase.inMemory()
    var contract = FetchLedgerContract("SQLite ledger")
    #expect(try await contract.violation(of: SQLiteFetchLedger(database)) == nil)
  }

  @Test func `What was written is there when the file is opened again`() async throws {
    let first = try SQLiteDatabase(path: path)
    try await SQLiteFetchLedger(first).write(record, for: "a")
    await first.close()
    let ledger = try SQLiteFetchLedger(SQLiteDatabase(path: path))
    #expect(try await ledger.record(for: "a") == record)
    #expect(try await ledger.records(prefix: "") == ["a": record])
  }

  @Test func `Tags of the same letters and other bytes are two`() async throws {
    let ledger = try SQLiteFetchLedger(.inMemory())
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try await ledger.write(record, for: composed)
    #expect(try await ledger.record(for: decomposed) == nil)
    var other = record
    other.size = 4
    try await ledger.write(other, for: decomposed)
    #expect(try await ledger.record(for: composed) == record)
    #expect(try await ledger.records(prefix: "cafe").values.map(\.size) == [4])
    try await ledger.erase(tag: composed)
    #expect(try await ledger.record(for: decomposed) == other)
  }

  @Test func `Ledgers of one database are one, and those of two are not`() throws {
    let (database, other) = try (SQLiteDatabase.inMemory(), SQLiteDatabase.inMemory())
    let ledger = SQLiteFetchLedger(database)
    #expect(ledger.identity == SQLiteFetchLedger(database).identity)
    #expect(ledger.identity != SQLiteFetchLedger(other).identity)
    #expect(ledger.identity == (try SQLiteRepository<Car>(database).fetchLedger?.identity))
  }

  @Test func `Before the first write there is no table, and nothing was fetched`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ledger = SQLiteFetchLedger(database)
    #expect(try await ledger.record(for: "a") == nil)
    #expect(try await ledger.records(prefix: "").isEmpty)
    let tables = try await database.read { try $0.rows("SELECT name FROM sqlite_schema") }
    #expect(tables.isEmpty)
    try await ledger.write(record, for: "a")
    #expect(try await ledger.record(for: "a") == record)
  }

  @Test func `The start of the system, which earlier betas kept, is passed over`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ledger = SQLiteFetchLedger(database)
    try await ledger.write(record, for: "a")
    try await database.write { db in
      _ = try db.execute("INSERT INTO evocation_dates (id, greatest) VALUES (5, 9e9)")
    }
    #expect(try await ledger.greatestDate() == record.fetchedAt)
    try await ledger.note(record.fetchedAt + 90)
    #expect(try await ledger.record(for: "a") == record)
    let rows = try await database.read { try $0.rows("SELECT id FROM evocation_dates") }
    #expect(rows.map(\.values) == [[.integer(1)]])
  }

  @Test func `A tag is found by its key, and a prefix is a range of it`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ledger = SQLiteFetchLedger(database)
    try await ledger.write(record, for: "a")
    func plan(_ text: String, _ count: Int) async throws -> [Criteria.Scalar?] {
      try await database.read { db in
        let values = [(any CriteriaValue)?](repeating: nil, count: count)
        return try db.rows("EXPLAIN QUERY PLAN \(text)", values).map { $0["detail"] }
      }
    }
    let one = "SELECT * FROM evocation_fetches WHERE tag = ?"
    #expect(
      try await plan(one, 1) == [.text("SEARCH evocation_fetches USING PRIMARY KEY (tag=?)")])
    let range = FetchTable.selection(prefix: "100%_'")
    #expect(!range.text.contains("LIKE") && range.values.count == 2)
    #expect(
      try await plan(range.text, 2)
        == [.text("SEARCH evocation_fetches USING PRIMARY KEY (tag>? AND tag<?)")])
  }

  @Test func `What somebody else put there counts as never fetched`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ledger = SQLiteFetchLedger(database)
    try await ledger.write(record, for: "a")
    try await ledger.write(record, for: "b")
    try await database.write { db in
      _ = try db.execute("UPDATE evocation_fetches SET fetchedAt = 'x' WHERE tag = 'a'")
    }
    #expect(try await ledger.record(for: "a") == nil)
    #expect(try await ledger.records(prefix: "") == ["b": record])
  }

  @Test func `A ledger remembers where a list goes on`() async throws {
    let database = try SQLiteDatabase(path: path)
    let ledger = SQLiteFetchLedger(database)
    var list = record
    list.pages = PageRecord(next: Data("2".utf8), previous: nil)
    try await ledger.write(list, for: "a")
    #expect(try await ledger.record(for: "a") == list)
    try await database.write { db in
      _ = try db.execute("UPDATE evocation_fetches SET pages = x'7B'")
    }
    #expect(try await ledger.record(for: "a") == nil)
  }

  @Test func `A date that is no number counts as never fetched`() async throws {
    let ledger = try SQLiteFetchLedger(SQLiteDatabase(path: path))
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    try await ledger.write(FetchRecord(fetchedAt: date), for: "a")
    #expect(try await ledger.record(for: "a") == nil)
  }

  @Test func `Others who read the file are told that somebody else wrote`() async throws {
    let (database, other) = try (SQLiteDatabase(path: path), SQLiteDatabase(path: path))
    let cars = try SQLiteRepository<Car>(other)
    let (changes, continuation) = AsyncStream<RepositoryChange<Car>>.makeStream()
    let observation = cars.observeChanges { continuation.yield($0) }
    try await SQLiteFetchLedger(database).write(record, for: "a")
    let change = await changes.first { _ in true }
    guard case .unknown = try #require(change).extent else {
      Issue.record("It is told what changed, which nobody knows: \(String(describing: change))")
      return
    }
    observation.cancel()
  }

  @Test
  func `Who observes a ledger is told of others' commits and the app's SQL, until he cancels`()
    async throws
  {
    let (database, other) = try (SQLiteDatabase(path: path), SQLiteDatabase(path: path))
    let (ledger, others) = (SQLiteFetchLedger(database), SQLiteFetchLedger(other))
    let told = Lock(0)
    let observation = try #require(ledger.observeOthers { told.withLock { $0 += 1 } })
    try await ledger.write(record, for: "a")
    #expect(told.withLock { $0 } == 0)
    try await database.write { try $0.execute("UPDATE evocation_fetches SET size = 1") }
    #expect(told.withLock { $0 } == 1)
    try await others.write(record, for: "b")
    try await eventually("the other's commit to be told") { told.withLock { $0 } == 2 }

    observation.cancel()
    let (commits, continuation) = AsyncStream<Void>.makeStream()
    let second = ledger.observeOthers { continuation.yield() }
    try await others.write(record, for: "c")
    _ = await commits.first { _ in true }
    #expect(told.withLock { $0 } == 2)
    second?.cancel()
  }

  @Test func `A closed database is told`() async throws {
    let database = try SQLiteDatabase(path: path)
    await database.close()
    let ledger = SQLiteFetchLedger(database)
    let error = await #expect(throws: SQLiteError.self) { try await ledger.record(for: "a") }
    #expect(error?.code == .closed)
  }
}
