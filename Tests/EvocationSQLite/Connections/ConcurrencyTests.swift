import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct ConcurrencyTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  /// Counts for so long that only an interruption ends it.
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY)") }
  }

  @Test func `Readers do not wait for a writer`() async throws {
    let gate = ThreadGate()
    let database = database
    async let writing: Void = database.write { db in
      try db.execute("INSERT INTO note VALUES (1)")
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let during = try await database.read { try $0.rows("SELECT * FROM note").count }
    gate.release()
    try await writing
    let after = try await database.read { try $0.rows("SELECT * FROM note").count }
    #expect(during == 0)
    #expect(after == 1)
  }

  @Test func `A read sees one state, whatever is committed meanwhile`() async throws {
    let gate = ThreadGate()
    let database = database
    async let reading = database.read { db in
      let before = try db.rows("SELECT * FROM note").count
      gate.arrive()
      gate.waitForRelease()
      return (before, try db.rows("SELECT * FROM note").count)
    }
    await gate.waitForArrival()
    try await database.write { _ = try $0.execute("INSERT INTO note VALUES (1)") }
    gate.release()
    let (before, after) = try await reading
    #expect(before == 0)
    #expect(after == 0)
  }

  @Test func `Cancelling interrupts a running statement`() async throws {
    let gate = ThreadGate()
    let database = database
    let task = Task {
      try await database.read { db in
        gate.arrive()
        return try db.rows(Self.endless)
      }
    }
    await gate.waitForArrival()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await database.read { try $0.rows("SELECT 1").count } == 1)
  }

  @Test func `Cancelling a write takes it back, and the next one runs`() async throws {
    let gate = ThreadGate()
    let database = database
    let task = Task {
      try await database.write { db in
        try db.execute("INSERT INTO note VALUES (1)")
        gate.arrive()
        _ = try db.rows(Self.endless)
      }
    }
    await gate.waitForArrival()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await database.write { _ = try $0.execute("INSERT INTO note VALUES (2)") }
    let rows = try await database.read { try $0.rows("SELECT id FROM note") }
    #expect(rows.map(\.values) == [[.integer(2)]])
  }

  @Test func `Cancelling ends the wait for the writer`() async throws {
    let gate = ThreadGate()
    let database = database
    async let writing: Void = database.write { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let waiting = Task { try await database.write { _ = try $0.execute("DELETE FROM note") } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.release()
    try await writing
  }

  @Test func `A write waits for another process no longer than the timeout`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.busyTimeout = .milliseconds(20)
    let other = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    let gate = ThreadGate()
    let database = database
    async let writing: Void = database.write { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let error = await #expect(throws: SQLiteError.self) {
      try await other.write { _ = try $0.execute("DELETE FROM note") }
    }
    gate.release()
    try await writing
    #expect(error?.code == .busy)
    #expect(error?.failureKind == .transient)
  }

  @Test func `More reads than connections all answer`() async throws {
    let database = database
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await database.read { try $0.rows("SELECT ?", [number]).count }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(answers == 50)
  }

  @Test func `A write of one model waits for another process without keeping the thread`()
    async throws
  {
    var configuration = SQLiteDatabase.Configuration()
    configuration.busyTimeout = .seconds(600)
    let cars = try SQLiteRepository<Car>(
      SQLiteDatabase(path: folder.path(), configuration: configuration))
    let other = database
    let gate = ThreadGate()
    async let writing: Void = other.write { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    async let stored = cars.storeOne(Car(id: 1, name: "a"))
    #expect(try await cars.findOne(["id": 1]).value == nil)
    gate.release()
    try await writing
    #expect(try await stored.value?.id == 1)
    #expect(try await cars.findOne(["id": 1]).value?.name == "a")
  }

  @Test func `A call of one key waits behind a long one that has the only connection`() async throws
  {
    let memory = try SQLiteDatabase.inMemory()
    let cars = try SQLiteRepository<Car>(memory)
    let gate = ThreadGate()
    async let writing: Void = memory.write { db in
      try db.execute("INSERT INTO car VALUES (1, 'a', NULL, 1, '[]', NULL)")
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    async let found = cars.findOne(["id": 1])
    gate.release()
    try await writing
    #expect(try await found.value?.name == "a")
  }
}
