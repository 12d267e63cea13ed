import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import SQLiteSupport

/// Opening a file in which another connection writes.
@Suite(.patient) struct LockedOpeningTests {
  private struct Job: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var priority: Int

    init(id: Int) { (self.id, priority) = (id, 4) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      priority = try container.decodeIfPresent(Int.self, forKey: .priority) ?? 4
    }
  }

  private let folder: TemporaryFolder
  private let gate = ThreadGate()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ timeout: Duration = .seconds(60)) throws -> SQLiteDatabase {
    var configuration = SQLiteDatabase.Configuration()
    configuration.busyTimeout = timeout
    return try SQLiteDatabase(path: folder.path(), configuration: configuration)
  }

  @Test func `A repository of a file that is up to date is made while another one writes`()
    async throws
  {
    let writer = try open()
    let jobs = try SQLiteRepository<Job>(writer, indexes: ["priority"])
    try await jobs.store([Job(id: 1)])
    let write = Task { [gate] in
      try await writer.write { db in
        try db.execute("UPDATE job SET priority = 5")
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    // If this throws; twice is as good as once.
    defer { gate.release() }
    // Would wait for longer than the test may take.
    let other = try open()
    try other.migrate([])
    let again = try SQLiteRepository<Job>(other, indexes: ["priority"])
    #expect(!again.heldEntries)
    #expect(try await again.find(Criteria()).value == [Job(id: 1)])
    let ledger = SQLiteFetchLedger(other)
    #expect(try await ledger.records(prefix: "").isEmpty)
    gate.release()
    try await write.value
  }

  @Test
  func `A repository that has to write waits for the other one, and then says that it is busy`()
    async throws
  {
    let writer = try open()
    _ = try SQLiteRepository<Job>(writer)
    let write = Task { [gate] in
      try await writer.write { db in
        try db.execute("DELETE FROM job")
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    // If this throws; twice is as good as once.
    defer { gate.release() }
    let other = try open(.milliseconds(1))
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteRepository<Job>(other, indexes: ["priority"])
    }
    #expect(error?.code == .busy)
    gate.release()
    try await write.value
  }
}
