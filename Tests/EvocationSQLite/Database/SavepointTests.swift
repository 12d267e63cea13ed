import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SavepointTests {
  private struct Refusal: Error {}

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { _ = try $0.execute("CREATE TABLE note (id INTEGER, body TEXT)") }
  }

  private func ids() async throws -> [Criteria.Scalar?] {
    try await database.read { db in
      try db.rows("SELECT id FROM note ORDER BY id").map { $0["id"] }
    }
  }

  @Test func `A savepoint that throws is taken back alone`() async throws {
    try await database.write { db in
      try db.execute("INSERT INTO note VALUES (1, 'kept')")
      try? db.savepoint {
        try db.execute("INSERT INTO note VALUES (2, 'taken back')")
        throw Refusal()
      }
      _ = try db.execute("INSERT INTO note VALUES (3, 'kept')")
    }
    #expect(try await ids() == [.integer(1), .integer(3)])
  }

  @Test func `A savepoint passes on what its body returns and throws`() async throws {
    let changed = try await database.write { db in
      try db.savepoint { try db.execute("INSERT INTO note VALUES (1, ''), (2, '')") }
    }
    #expect(changed == 2)
    await #expect(throws: Refusal.self) {
      try await database.write { db in try db.savepoint { throw Refusal() } }
    }
    #expect(try await ids() == [.integer(1), .integer(2)])
  }

  @Test func `Savepoints nest, and one within is taken back with the one around it`() async throws {
    try await database.write { db in
      try db.savepoint {
        try db.execute("INSERT INTO note VALUES (1, '')")
        try? db.savepoint {
          try db.execute("INSERT INTO note VALUES (2, '')")
          throw Refusal()
        }
        try db.savepoint {
          try db.savepoint { _ = try db.execute("INSERT INTO note VALUES (3, '')") }
        }
      }
      try? db.savepoint {
        try db.savepoint { _ = try db.execute("INSERT INTO note VALUES (4, '')") }
        throw Refusal()
      }
    }
    #expect(try await ids() == [.integer(1), .integer(3)])
  }

  @Test func `A write that throws takes back what its savepoints kept`() async throws {
    await #expect(throws: Refusal.self) {
      try await database.write { db in
        try db.savepoint { _ = try db.execute("INSERT INTO note VALUES (1, '')") }
        throw Refusal()
      }
    }
    #expect(try await ids().isEmpty)
  }

  @Test func `Nothing is written after the transaction was ended, whatever is caught`() async throws
  {
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { db in
        try? db.savepoint { _ = try db.execute("ROLLBACK") }
        _ = try? db.execute("INSERT INTO note VALUES (1, '')")
        _ = try? db.execute("BEGIN")
        _ = try? db.savepoint { try db.execute("INSERT INTO note VALUES (2, '')") }
      }
    }
    #expect(error?.code == .misuse)
    #expect(
      error?.description == "A transaction in \"\(folder.path())\" failed: your app ended it "
        + "inside the closure; leave BEGIN, COMMIT and ROLLBACK to write, and let errors pass.")
    #expect(try await ids().isEmpty)
    try await database.write { _ = try $0.execute("INSERT INTO note VALUES (3, '')") }
    #expect(try await ids() == [.integer(3)])
  }

  @Test func `A cancelled savepoint takes back the transaction, whatever is caught`() async throws {
    let (database, gate) = (database, ThreadGate())
    let task = Task {
      try await database.write { db in
        try db.execute("INSERT INTO note VALUES (1, '')")
        try? db.savepoint {
          gate.arrive()
          gate.waitForRelease()
        }
      }
    }
    await gate.waitForArrival()
    task.cancel()
    gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await ids().isEmpty)
  }
}
