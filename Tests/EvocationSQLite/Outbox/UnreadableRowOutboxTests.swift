import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Writes through the outbox to rows that the model's type cannot decode.
@Suite(.patient) struct UnreadableRowOutboxTests {
  private struct Job: Codable, Identifiable, Sendable, Equatable {
    enum State: String, Codable, CaseIterable { case open, done }

    var id: Int
    var state = State.open
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let jobs: SQLiteRepository<Job>
  private let remote = InMemoryRepository((1...4).map { Job(id: $0) })
  private let evocation = Evocation()

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    jobs = try SQLiteRepository<Job>(database)
    try await jobs.store((1...4).map { Job(id: $0) })
    try await database.write { try $0.execute("UPDATE job SET state = 'stale' WHERE id > 1") }
    evocation.outbox.pause()
    evocation.register(for: Job.self).repository(remote: remote).repository(local: jobs)
      .strategy(.offlineFirst)
  }

  private func states() async throws -> [[Criteria.Scalar]] {
    try await database.read { try $0.rows("SELECT id, state FROM job ORDER BY id").map(\.values) }
  }

  @Test(arguments: [false, true])
  func `They are replaced and removed, and sent`(isObserved: Bool) async throws {
    let observation = isObserved ? jobs.observeChanges { _ in } : nil
    defer { observation?.cancel() }
    #expect(await evocation.updateOne(Job(id: 2, state: .done)).isPending)
    #expect(await evocation.storeOrUpdate([Job(id: 3, state: .done)]).isPending)
    #expect(await evocation.removeOne(Job(id: 4)).isPending)
    let expected = [Job(id: 1), Job(id: 2, state: .done), Job(id: 3, state: .done)]
    #expect(try await jobs.find(Criteria()).value == expected)
    evocation.outbox.resume()
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await remote.find(Criteria()).value == expected)
    #expect(try await jobs.find(Criteria()).value == expected)
  }

  @Test func `A refresh keeps the row of an unsent write, and replaces the others`() async throws {
    #expect(await evocation.updateOne(Job(id: 2, state: .done)).isPending)
    try await database.write { try $0.execute("UPDATE job SET state = 'older' WHERE id = 2") }
    _ = try await remote.remove([Job(id: 2), Job(id: 3)])
    let answer = try await remote.find(Criteria()).value
    try await jobs.commit(StoreWrite([.mirror(answer, for: Criteria())], source: .remote))
    #expect(
      try await states() == [
        [.integer(1), .text("open")], [.integer(2), .text("older")], [.integer(4), .text("open")],
      ])
  }

  @Test func `An answer of the service replaces it`() async throws {
    #expect(await evocation.updateOne(Job(id: 2, state: .done)).isPending)
    try await database.write { try $0.execute("UPDATE job SET state = 'older' WHERE id = 2") }
    evocation.outbox.resume()
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await jobs.findOne(["id": 2]).value == Job(id: 2, state: .done))
  }
}
