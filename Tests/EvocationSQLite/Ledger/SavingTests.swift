import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

@Suite(.patient) struct SavingTests {
  private struct Part: SQLiteModel, Equatable {
    static let indexes: [SQLiteIndex] = [.unique("code")]

    var id: Int
    var code: String
    var kind = 1
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let parts: SQLiteRepository<Part>
  private let record = FetchRecord(fetchedAt: Date(timeIntervalSinceReferenceDate: 5), size: 2)

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    parts = try SQLiteRepository<Part>(database)
  }

  private var stamp: FetchStamp {
    FetchStamp(tag: "parts", record: record, ledger: SQLiteFetchLedger(database))
  }

  private func state() async throws -> (parts: [Part], record: FetchRecord?) {
    try await (parts.find(Criteria()).value, SQLiteFetchLedger(database).record(for: "parts"))
  }

  /// Saves models with the stamp, and with criteria in place of what matches.
  private func save(_ models: [Part], mirroring criteria: Criteria?) async throws {
    let action = criteria.map { StoreWrite.Change.mirror(models, for: $0) }
    try await parts.commit(StoreWrite([action ?? .storeOrUpdate(models)], stamp: stamp))
  }

  @Test func `Models and stamp are saved together, mirrored or beside what is there`()
    async throws
  {
    let (one, two, three) = (Part(id: 1, code: "a"), Part(id: 2, code: "b"), Part(id: 3, code: "c"))
    try await parts.store([one])
    try await save([two], mirroring: nil)
    #expect(try await state() == ([one, two], record))
    try await save([three], mirroring: ["kind": 1])
    #expect(try await state() == ([three], record))
    try await save([], mirroring: Criteria())
    #expect(try await state() == ([], record))
  }

  @Test(arguments: [true, false])
  func `Models that break a constraint leave no stamp`(mirrors: Bool) async throws {
    let one = Part(id: 1, code: "a", kind: 2)
    try await parts.store([one])
    let criteria: Criteria? = mirrors ? ["kind": 1] : nil
    let error = await #expect(throws: SQLiteError.self) {
      try await save([Part(id: 2, code: "b"), Part(id: 3, code: "a")], mirroring: criteria)
    }
    #expect(error?.code == .constraint)
    #expect(try await state() == ([one], nil))
  }

  @Test func `A stamp that cannot be written leaves no models`() async throws {
    let one = Part(id: 1, code: "a")
    try await save([one], mirroring: nil)
    try await database.write { db in
      _ = try db.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON evocation_fetches BEGIN SELECT RAISE(ABORT, 'no'); "
          + "END")
    }
    await #expect(throws: SQLiteError.self) {
      try await save([Part(id: 2, code: "b")], mirroring: Criteria())
    }
    #expect(try await state() == ([one], record))
  }

  @Test func `A full disk leaves neither`() async throws {
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 20") }
    let many = (0..<500).map { Part(id: $0, code: String(repeating: "x", count: 500) + "\($0)") }
    let error = await #expect(throws: SQLiteError.self) {
      try await save(many, mirroring: Criteria())
    }
    #expect(error?.code == .full)
    #expect(try await state() == ([], nil))
  }

  @Test func `A commit gives what each action answers, the record and the version`() async throws {
    let (one, two) = (Part(id: 1, code: "a"), Part(id: 2, code: "b"))
    let changed = Part(id: 1, code: "c")
    let heard = Lock<[RepositoryChange<Part>]>([])
    let observation = parts.observeChanges { change in heard.withLock { $0.append(change) } }
    let commit = try await parts.commit(
      StoreWrite(
        [.store([one, two]), .update([changed, Part(id: 9, code: "x")]), .remove([two])],
        stamp: stamp))
    observation.cancel()
    #expect(commit.answers == [[one, two], [changed], [two]])
    #expect(commit.record == record)
    #expect(try await parts.snapshot(Criteria()).version == commit.version)
    // It is one change, of what there is after it.
    let changes = heard.withLock { $0 }
    #expect(changes.map(\.version) == [commit.version])
    guard case .models(let stored, let updated, let removed) = changes.first?.extent else {
      Issue.record("The models were not told.")
      return
    }
    #expect(stored == [changed] && updated.isEmpty && removed.isEmpty)
  }

  /// A part that is equal to every other of its id, as many a model is.
  private struct Named: SQLiteModel, Equatable {
    var id: Int
    var name: String

    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
  }

  @Test func `A mirror changes a model whose type calls it equal to the one that is there`()
    async throws
  {
    let locals: [any Repository<Named>] = [
      InMemoryRepository<Named>(), try SQLiteRepository<Named>(database),
    ]
    for local in locals {
      _ = try await local.store([Named(id: 1, name: "old")])
      _ = try await local.mirror([Named(id: 1, name: "new")], for: Criteria())
      #expect(try await local.find(Criteria()).value.map(\.name) == ["new"])
    }
  }

  @Test func `A model that is there already undoes the actions before it`() async throws {
    let (one, two) = (Part(id: 1, code: "a"), Part(id: 2, code: "b"))
    try await parts.store([one])
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      try await parts.commit(StoreWrite([.store([two]), .store([one])], stamp: stamp))
    }
    #expect(try await state() == ([one], nil))
  }

  @Test func `What was declared stale during a fetch is saved as stale`() async throws {
    let ledger = SQLiteFetchLedger(database)
    try await ledger.write(record, for: "parts")
    let stamp = FetchStamp(tag: "parts", record: record, ledger: ledger, basis: .record(record))
    try await SQLiteFetchLedger(try SQLiteDatabase(path: folder.path())).markInvalidated(prefix: "")
    let commit = try await parts.commit(StoreWrite([], stamp: stamp))
    #expect(commit.record?.isInvalidated == true)
    #expect(try await ledger.record(for: "parts")?.isInvalidated == true)
  }

  @Test func `A page of a list that another continued is not saved`() async throws {
    let ledger = SQLiteFetchLedger(database)
    let (first, second) = (pages("1"), pages("2"))
    try await ledger.write(fetched(second), for: "parts")
    let page = StoreWrite<Part>(
      [.storeOrUpdate([Part(id: 1, code: "a")])],
      stamp: FetchStamp(
        tag: "parts", record: fetched(first),
        ledger: ledger, basis: .list(first)))
    await #expect(throws: OutdatedStamp.self) { try await parts.commit(page) }
    try await ledger.erase(tag: "parts")
    await #expect(throws: OutdatedStamp.self) { try await parts.commit(page) }
    #expect(try await state() == ([], nil))
  }

  private func fetched(_ pages: PageRecord) -> FetchRecord {
    var fetched = FetchRecord(fetchedAt: record.fetchedAt)
    fetched.pages = pages
    return fetched
  }

  private func pages(_ next: String) -> PageRecord {
    PageRecord(next: Data(next.utf8), previous: nil)
  }

  @Test func `Criteria that do not fit leave neither`() async throws {
    await #expect(throws: EvocationError.self) {
      try await save([Part(id: 1, code: "a")], mirroring: ["colour": 1])
    }
    #expect(try await state() == ([], nil))
  }
}

private func == <Left: Equatable, Right: Equatable>(
  left: (parts: [Left], record: Right?), right: ([Left], Right?)
) -> Bool {
  left.parts == right.0 && left.record == right.1
}
