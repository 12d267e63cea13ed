import CEvocationSQLite
import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What a cancellation does to a transaction whose work is done.
@Suite(.patient) struct CommitTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY)") }
  }

  private func count() async throws -> Criteria.Scalar? {
    try await database.read { try $0.rows("SELECT count(*) AS n FROM note").first?["n"] }
  }

  @Test func `What was cancelled before it is committed is taken back, though all was written`()
    async throws
  {
    let gate = ThreadGate()
    let database = database
    let task = Task {
      try await database.write { db in
        try db.execute("INSERT INTO note VALUES (1)")
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    task.cancel()
    gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await count() == .integer(0))
  }

  @Test func `What was cancelled before a savepoint is kept is taken back, though all was written`()
    async throws
  {
    let gate = ThreadGate()
    let database = database
    let taken = Lock(false)
    let task = Task {
      try await database.write { db in
        do {
          try db.savepoint {
            try db.execute("INSERT INTO note VALUES (1)")
            gate.arrive()
            gate.waitForRelease()
          }
        } catch is CancellationError {
          taken.withLock { $0 = true }
          throw CancellationError()
        }
      }
    }
    await gate.waitForArrival()
    task.cancel()
    gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(taken.withLock { $0 })
    #expect(try await count() == .integer(0))
  }

  @Test func `A cancellation that comes while it is committed does not deny what was kept`()
    async throws
  {
    try database.blocking("Looking") { connection in
      // SQLite asks whether to go on at each thousandth step of a statement, and COMMIT takes a few.
      for id in 0..<1_200 {
        let interruption = Interruption()
        let hook = Unmanaged.passUnretained(interruption).toOpaque()
        sqlite3_commit_hook(connection.handle, cancelOnCommit, hook)
        defer { sqlite3_commit_hook(connection.handle, nil, nil) }
        try connection.run(interruption) { connection in
          try connection.transaction {
            try $0.run("INSERT INTO note VALUES (?)", [.integer(Int64(id))], action: "Writing")
          }
        }
        #expect(interruption.isCancelled)
      }
    }
    #expect(try await count() == .integer(1_200))
  }
}

private func cancelOnCommit(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().cancel()
  return 0
}
