import Evocation
import EvocationSQLite
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// The list of rows that a model type cannot decode, and what an app does with them.
@Suite(.patient) struct UnreadableRowListTests {
  private struct Job: Codable, Identifiable, Sendable, Equatable {
    enum State: String, Codable, CaseIterable { case open, done }

    var id: Int
    var state = State.open
    var rank = 1

    init(id: Int, state: State = .open, rank: Int = 1) {
      (self.id, self.state, self.rank) = (id, state, rank)
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try values.decode(Int.self, forKey: .id)
      state = try values.decode(State.self, forKey: .state)
      rank = try values.decodeIfPresent(Int.self, forKey: .rank) ?? 4
    }
  }

  private let notices = Lock<[String]>([])
  private let log: Evocation.Log
  private let database: SQLiteDatabase
  private let jobs: SQLiteRepository<Job>

  init() async throws {
    let notices = notices
    log = Evocation.Log(levels: []) { line in
      if case .notice(let text) = line { notices.withLock { $0.append(text) } }
    }
    database = try SQLiteDatabase.inMemory(configuration: .init(log: log))
    jobs = try SQLiteRepository<Job>(database)
    try await jobs.store((1...5).map { Job(id: $0) })
    try await database.write {
      try $0.execute("UPDATE job SET state = 'stale', rank = NULL WHERE id IN (2, 4)")
    }
  }

  @Test func `It has the id, the JSON and the reason of each`() async throws {
    let rows = try await jobs.unreadableRows()
    #expect(rows.map(\.id) == ["2", "4"])
    #expect(rows.map(\.table) == ["job", "job"])
    #expect(
      rows.map { String(decoding: $0.json, as: UTF8.self) } == [
        #"{"id":2,"state":"stale","rank":null}"#, #"{"id":4,"state":"stale","rank":null}"#,
      ])
    #expect(Set(rows.map(\.reason)) == ["\"state\" has a value that it cannot have"])
  }

  @Test func `Corrected JSON is written, with defaults`() async throws {
    let told = Recorder<Job>()
    let observation = jobs.observeChanges { told.record($0) }
    for row in try await jobs.unreadableRows() {
      print(row.id, row.reason)
      let fixed = String(decoding: row.json, as: UTF8.self).replacing("\"stale\"", with: "\"open\"")
      try await jobs.repair(row, as: Data(fixed.utf8))
    }
    #expect(
      try await jobs.find(Criteria()).value
        == (1...5).map { Job(id: $0, rank: [2, 4].contains($0) ? 4 : 1) })
    #expect(try await jobs.find(["rank": 4]).value.map(\.id) == [2, 4])
    #expect(try await jobs.unreadableRows().isEmpty)
    #expect(told.told.count == 2)
    observation.cancel()
  }

  @Test func `JSON of another model, or that cannot be decoded, changes nothing`() async throws {
    let row = try #require(try await jobs.unreadableRows().first)
    await #expect(throws: DecodingError.self) { try await jobs.repair(row, as: row.json) }
    await #expect(throws: EvocationError.differentModel(model: "Job")) {
      try await jobs.repair(row, as: Data(#"{"id":4,"state":"open"}"#.utf8))
    }
    #expect(try await jobs.unreadableRows().count == 2)
  }

  @Test func `A row that is gone, or was replaced, is left`() async throws {
    let rows = try await jobs.unreadableRows()
    try await jobs.updateOne(Job(id: 2, state: .done))
    try await jobs.remove([Job(id: 4)])
    for row in rows {
      let fixed = Data(#"{"id":\#(row.id),"state":"open"}"#.utf8)
      #expect(try await jobs.repair(row, as: fixed) == false)
    }
    #expect(try await jobs.remove(unreadable: rows) == 0)
    #expect(try await jobs.findOne(["id": 2]).value?.state == .done)
  }

  @Test func `They are removed`() async throws {
    #expect(try await jobs.remove(unreadable: jobs.unreadableRows()) == 2)
    #expect(try await jobs.find(Criteria()).value.map(\.id) == [1, 3, 5])
    #expect(try await jobs.remove(unreadable: []) == 0)
  }

  @Test func `A check counts them`() async throws {
    #expect(
      try await database.check() == [
        "job: 2 rows cannot be decoded as Job; unreadableRows() lists them"
      ])
    try await jobs.remove(unreadable: jobs.unreadableRows())
    #expect(try await database.check().isEmpty)
  }

  @Test func `Left out, they are counted in the answer and in the log`() async throws {
    let jobs = try SQLiteRepository<Job>(database, onUnreadable: .leaveOut)
    let found = try await jobs.find(Criteria())
    #expect(found.value.map(\.id) == [1, 3, 5])
    #expect(found.metadata["leftOut"] as? Int == 2)
    #expect(try await jobs.find(["state": "open"]).metadata["leftOut"] == nil)
    let first = try await jobs.findOne((Criteria.Key("id") >= 2).sorted(by: "id"))
    #expect(first.value?.id == 3)
    #expect(first.metadata["leftOut"] as? Int == 1)
    #expect(try await jobs.snapshot(Criteria()).models.map(\.id) == [1, 3, 5])
    var streamed: [Int] = []
    for try await job in jobs.stream() { streamed.append(job.id) }
    #expect(streamed == [1, 3, 5])
    await #expect(throws: SQLiteError.self) { try await jobs.findOne(["id": 2]) }
    log.flush()
    #expect(
      notices.withLock(\.first)
        == "Reading the table \"job\" in memory left out 2 rows that cannot be decoded as Job; "
        + "unreadableRows() lists all such rows.")
    let evocation = Evocation()
    evocation.register(for: Job.self).repository(local: jobs).strategy(.localOnly)
    let result = await evocation.find(model: Job.self)
    #expect(result.data?.map(\.id) == [1, 3, 5])
    #expect(result.metadata[.local]?["leftOut"] as? Int == 2)
    let step = try #require(result.trace.steps.first)
    #expect(step.leftOut == 2)
    #expect("\(step)".hasPrefix("local returned 3 models, and left out 2 that cannot be read"))
  }

  @Test func `In a file a stream leaves them out too`() async throws {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let jobs = try SQLiteRepository<Job>(database, onUnreadable: .leaveOut)
    try await jobs.store((1...600).map { Job(id: $0) })
    try await database.write {
      _ = try $0.execute("UPDATE job SET state = 'stale' WHERE id % 2 = 0")
    }
    var streamed: [Int] = []
    for try await job in jobs.stream() { streamed.append(job.id) }
    #expect(streamed == Array(stride(from: 1, to: 600, by: 2)))
  }

  @Test func `The JSON has each kind of column as the model is coded`() async throws {
    struct Parts: Codable, Identifiable, Equatable {
      enum Kind: String, Codable, CaseIterable { case round }

      var id: UUID
      var isOn: Bool
      var count: UInt64
      var price: Decimal
      var ratio: Double
      var day: Date
      var content: Data
      var page: URL
      var tags: [String]
      var note: String?
      var kind = Kind.round
    }
    let parts = try SQLiteRepository<Parts>(database)
    let one = Parts(
      id: UUID(), isOn: true, count: .max, price: 1.25, ratio: 0.1,
      day: Date(timeIntervalSinceReferenceDate: 2.5), content: Data([1, 255]),
      page: try #require(URL(string: "https://example.org/a")), tags: ["\"x\""], note: "a\nb")
    let two = Parts(
      id: UUID(), isOn: false, count: 0, price: 0, ratio: .infinity, day: .distantPast,
      content: Data(),
      page: one.page, tags: [], note: nil)
    try await parts.store([one, two])
    try await database.write { _ = try $0.execute("UPDATE parts SET kind = 'square'") }
    for row in try await parts.unreadableRows() {
      #expect(row.id == one.id.uuidString || row.id == two.id.uuidString)
      let fixed = String(decoding: row.json, as: UTF8.self).replacing("square", with: "round")
      #expect(try await parts.repair(row, as: Data(fixed.utf8)))
    }
    let repaired = try await parts.find(Criteria()).value
    #expect(Set(repaired.map(\.id)) == [one.id, two.id])
    for part in repaired { #expect(part == one || part == two) }
  }
}
