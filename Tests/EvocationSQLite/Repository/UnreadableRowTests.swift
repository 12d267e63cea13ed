import Evocation
import EvocationSQLite
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Rows that the model's type cannot decode, as after a version of the app that had another case.
@Suite(.patient) struct UnreadableRowTests {
  private struct Job: Codable, Identifiable, Sendable, Equatable {
    enum State: String, Codable, CaseIterable { case open, done }

    var id: Int
    var state = State.open
  }

  /// The same with a key that is no number of a row.
  private struct Chore: SQLiteModel, Equatable {
    static let key: [Criteria.Key] = ["list", "name"]

    var list: Int
    var name: String
    var state = Job.State.open
    var id: [String] { ["\(list)", name] }
  }

  private typealias Change = RepositoryChange<Job>

  private let database: SQLiteDatabase
  private let jobs: SQLiteRepository<Job>

  init() async throws {
    database = try SQLiteDatabase.inMemory()
    jobs = try SQLiteRepository<Job>(database)
    try await jobs.store((1...5).map { Job(id: $0) })
    try await spoil("id IN (2, 4)")
  }

  private func spoil(_ condition: String, _ table: String = "job") async throws {
    try await database.write {
      try $0.execute("UPDATE \(table) SET state = 'stale' WHERE \(condition)")
    }
  }

  private func ids() async throws -> [Int] {
    try await database.read { db in
      try db.rows("SELECT id FROM job ORDER BY id").compactMap { row in
        if case .integer(let id)? = row["id"] { Int(id) } else { nil }
      }
    }
  }

  /// Runs a call, beside an observer or not, and returns what that was told.
  private func changes(_ isObserved: Bool, _ call: () async throws -> Void) async throws -> [Change]
  {
    let recorder = Recorder<Job>()
    let observation = isObserved ? jobs.observeChanges { recorder.record($0) } : nil
    try await call()
    observation?.cancel()
    return recorder.told
  }

  private func expectUnknown(_ changes: [Change], _ isObserved: Bool) {
    #expect(changes.count == (isObserved ? 1 : 0))
    for change in changes {
      if case .models = change.extent { Issue.record("\(change)") }
    }
  }

  private static func sentence(_ id: Int) -> String {
    "Reading the table \"job\" in memory failed: the row with the id \(id) cannot be decoded as Job, "
      + "because \"state\" has a value that it cannot have; correct or remove it with "
      + "unreadableRows(), or use onUnreadable: .leaveOut."
  }

  @Test func `Finding it throws`() async throws {
    let jobs = jobs
    let many = (Criteria.Key("id") >= 2).sorted(by: "id")
    for (criteria, id) in [(many, 2), (["id": 4], 4), (many.limit(1), 2)] as [(Criteria, Int)] {
      for read in [
        { _ = try await jobs.find(criteria) }, { _ = try await jobs.findOne(criteria) },
        { for try await _ in jobs.stream(criteria) {} },
        { _ = try await jobs.snapshot(criteria) },
      ] as [() async throws -> Void] {
        let error = await #expect(throws: SQLiteError.self) { try await read() }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.underlying is DecodingError)
        #expect(error?.description == Self.sentence(id))
      }
    }
    #expect(try await jobs.find(["state": "open"]).value.map(\.id) == [1, 3, 5])
    #expect(try await jobs.exists(["id": 2]))
    #expect(try await jobs.exists(many))
  }

  /// The answers of a service: without the row, with it, in another order, and with nothing else.
  @Test(
    arguments: [[1, 3, 4, 5], [1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [2], [], [1, 3, 5, 6]],
    [false, true])
  func `A refresh replaces it, or removes it if the service no longer has it`(
    answer: [Int], isObserved: Bool
  ) async throws {
    let answered = answer.map { Job(id: $0, state: .done) }
    let changes = try await changes(isObserved) { () async throws in
      try await jobs.mirror(answered, for: Criteria())
    }
    expectUnknown(changes, isObserved)
    #expect(try await jobs.find(Criteria()).value == answered.sorted { $0.id < $1.id })
  }

  @Test(arguments: [false, true])
  func `A refresh of some models leaves it, and one that has all that match removes it`(
    isObserved: Bool
  ) async throws {
    try await jobs.mirror([Job(id: 1), Job(id: 3)], for: Criteria().limit(2))
    try await jobs.mirror([Job(id: 5)], for: Criteria().limit(1).offset(2))
    #expect(try await ids() == [1, 2, 3, 4, 5])
    let changes = try await changes(isObserved) { () async throws in
      try await jobs.mirror([Job(id: 1), Job(id: 3)], for: Criteria().limit(3))
    }
    expectUnknown(changes, isObserved)
    #expect(try await jobs.find(Criteria()).value.map(\.id) == [1, 3])
  }

  @Test(arguments: [false, true])
  func `A refresh keeps it if it is to be kept`(isObserved: Bool) async throws {
    _ = try await changes(isObserved) { () async throws in
      try await jobs.mirror([Job(id: 1)], for: Criteria(), keeping: [Job(id: 4)])
    }
    #expect(try await ids() == [1, 4])
  }

  @Test func `A refresh that changes nothing else leaves the readable rows alone`() async throws {
    try await database.write { db in
      try db.execute("CREATE TABLE written (id INTEGER)")
      try db.execute(
        "CREATE TRIGGER writes AFTER UPDATE ON job BEGIN INSERT INTO written VALUES (NEW.id); END")
    }
    try await jobs.mirror((1...5).map { Job(id: $0) }, for: Criteria())
    let written = try await database.read { try $0.rows("SELECT id FROM written ORDER BY id") }
    #expect(written.map(\.values) == [[.integer(2)], [.integer(4)]])
  }

  @Test(arguments: [false, true])
  func `Writing it replaces it`(isObserved: Bool) async throws {
    let jobs = jobs
    for job in [Job(id: 2, state: .done), Job(id: 4)] {
      let isUpdate = job.id == 2
      let changes = try await changes(isObserved) { () async throws in
        if isUpdate {
          #expect(try await jobs.update([job]).value == [job])
        } else {
          #expect(try await jobs.storeOrUpdate([job, Job(id: 6)]).value.count == 2)
        }
      }
      expectUnknown(changes, isObserved)
      #expect(try await jobs.findOne(["id": job.id]).value == job)
    }
    await #expect(throws: EvocationError.alreadyExists(["2"])) {
      try await jobs.store([Job(id: 2)])
    }
  }

  @Test(arguments: [[2], [1, 2, 3], [4, 2]], [false, true])
  func `Removing it removes it, and says so`(removed: [Int], isObserved: Bool) async throws {
    let changes = try await changes(isObserved) { () async throws in
      let answer = try await jobs.remove(removed.map { Job(id: $0) }).value
      #expect(answer.map(\.id).sorted() == removed.sorted())
    }
    expectUnknown(changes, isObserved)
    #expect(try await ids() == (1...5).filter { !removed.contains($0) })
  }

  @Test(arguments: [false, true])
  func `Removing what matches removes it`(isObserved: Bool) async throws {
    let changes = try await changes(isObserved) { () async throws in
      #expect(try await jobs.removeAll(matching: Criteria.Key("id") <= 2) == 2)
    }
    expectUnknown(changes, isObserved)
    #expect(try await ids() == [3, 4, 5])
  }

  @Test func `A key of several properties identifies it`() async throws {
    let chores = try SQLiteRepository<Chore>(database)
    let all = ["a", "e\u{301}", "é", "b"]
    try await chores.store(all.map { Chore(list: 1, name: $0) })
    try await spoil("name <> 'b'", "chore")
    let answer = [Chore(list: 1, name: "é"), Chore(list: 1, name: "c")]
    try await chores.mirror(answer, for: Criteria(), keeping: [Chore(list: 1, name: "a")])
    let left = try await database.read {
      try $0.rows("SELECT name, state FROM chore ORDER BY name")
    }
    #expect(
      left.map(\.values) == [
        [.text("a"), .text("stale")], [.text("c"), .text("open")], [.text("é"), .text("open")],
      ])
    #expect(try await chores.remove([Chore(list: 1, name: "a")]).value.count == 1)
    let names = try await chores.find(Criteria()).value.map(\.name)
    #expect(names == ["c", "é"])
  }
}
