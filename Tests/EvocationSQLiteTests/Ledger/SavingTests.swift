import Evocation
import EvocationSQLite
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct SavingTests {
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
    FetchStamp(tag: "parts", record: record, ledger: parts.fetchLedger)
  }

  private func state() async throws -> (parts: [Part], record: FetchRecord?) {
    try await (parts.find(Criteria()).value, parts.fetchLedger.record(for: "parts"))
  }

  @Test func `Models and stamp are saved together, mirrored or beside what is there`()
    async throws
  {
    let (one, two, three) = (Part(id: 1, code: "a"), Part(id: 2, code: "b"), Part(id: 3, code: "c"))
    try await parts.store([one])
    try await parts.save([two], mirroring: nil, stamp: stamp)
    #expect(try await state() == ([one, two], record))
    try await parts.save([three], mirroring: ["kind": 1], stamp: stamp)
    #expect(try await state() == ([three], record))
    try await parts.save([], mirroring: Criteria(), stamp: stamp)
    #expect(try await state() == ([], record))
  }

  @Test(arguments: [true, false])
  func `Models that break a constraint leave no stamp`(mirrors: Bool) async throws {
    let one = Part(id: 1, code: "a", kind: 2)
    try await parts.store([one])
    let criteria: Criteria? = mirrors ? ["kind": 1] : nil
    let error = await #expect(throws: SQLiteError.self) {
      try await parts.save(
        [Part(id: 2, code: "b"), Part(id: 3, code: "a")], mirroring: criteria, stamp: stamp)
    }
    #expect(error?.code == .constraint)
    #expect(try await state() == ([one], nil))
  }

  @Test func `A stamp that cannot be written leaves no models`() async throws {
    let one = Part(id: 1, code: "a")
    try await parts.save([one], mirroring: nil, stamp: stamp)
    try await database.write { db in
      _ = try db.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON evocation_fetches BEGIN SELECT RAISE(ABORT, 'no'); "
          + "END")
    }
    await #expect(throws: SQLiteError.self) {
      try await parts.save([Part(id: 2, code: "b")], mirroring: Criteria(), stamp: stamp)
    }
    #expect(try await state() == ([one], record))
  }

  @Test func `A full disk leaves neither`() async throws {
    try await database.write { _ = try $0.execute("PRAGMA max_page_count = 20") }
    let many = (0..<500).map { Part(id: $0, code: String(repeating: "x", count: 500) + "\($0)") }
    let error = await #expect(throws: SQLiteError.self) {
      try await parts.save(many, mirroring: Criteria(), stamp: stamp)
    }
    #expect(error?.code == .full)
    #expect(try await state() == ([], nil))
  }

  @Test func `Criteria that do not fit leave neither`() async throws {
    await #expect(throws: EvocationError.self) {
      try await parts.save([Part(id: 1, code: "a")], mirroring: ["colour": 1], stamp: stamp)
    }
    #expect(try await state() == ([], nil))
  }
}

private func == <Left: Equatable, Right: Equatable>(
  left: (parts: [Left], record: Right?), right: ([Left], Right?)
) -> Bool {
  left.parts == right.0 && left.record == right.1
}
