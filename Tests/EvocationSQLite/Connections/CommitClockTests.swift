import Dispatch
import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct CommitClockTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try await database.write { db in
      try db.execute("CREATE TABLE counter (count INTEGER)")
      try db.execute("INSERT INTO counter VALUES (0)")
    }
  }

  /// What a snapshot holds, and its number.
  private static func look(
    _ database: SQLiteDatabase
  ) async throws -> (value: SQLValue?, version: UInt64) {
    try await database.reading { connection in
      try connection.versionedSnapshot { try $0.first("SELECT count FROM counter") }
    }
  }

  @Test func `A snapshot holds the commits up to its number, and none after it`() async throws {
    let (database, first) = (database, database.commits.current)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 1...300 {
          try await database.write { _ = try $0.execute("UPDATE counter SET count = count + 1") }
        }
      }
      for _ in 1...3 {
        group.addTask {
          while database.commits.current < first + 300 {
            let (value, version) = try await Self.look(database)
            #expect(value == .integer(Int64(version - first)))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.look(database).version == first + 300)
  }

  @Test func `The writer knows the number of its commit, and others may go on`() async throws {
    let before = database.commits.current
    let version = try await database.writing { connection in
      try connection.transaction { try $0.execute("UPDATE counter SET count = 7", "Counting") }
      return connection.version
    }
    #expect(version == before + 1)
    #expect(database.commits.current == before + 1)
  }

  @Test func `A write of one model is a commit with a number`() async throws {
    let cars = try SQLiteRepository<Car>(database)
    let before = database.commits.current
    _ = try await cars.storeOne(Car(id: 1, name: "a"))
    _ = try await cars.updateOne(Car(id: 1, name: "b"))
    #expect(try await cars.snapshot(Criteria()).version == before + 2)
    #expect(try await cars.find(Criteria()).value == [Car(id: 1, name: "b")])
  }

  @Test func `One model that is there already, or that is not, is no change`() async throws {
    let cars = try SQLiteRepository<Car>(database)
    let one = Car(id: 1, name: "a")
    #expect(try await cars.updateOne(one).value == nil)
    #expect(try await cars.storeOne(one).value == one)
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      _ = try await cars.storeOne(Car(id: 1, name: "b"))
    }
    #expect(try await cars.find(Criteria()).value == [one])
  }

  @Test func `One model whose trigger fails leaves nothing of what the trigger wrote`() async throws
  {
    let cars = try SQLiteRepository<Car>(database)
    try await database.write { db in
      try db.execute(
        "CREATE TRIGGER failing AFTER INSERT ON car BEGIN UPDATE counter SET count = 9; "
          + "SELECT RAISE(ABORT, 'no'); END")
    }
    let before = database.commits.current
    await #expect(throws: SQLiteError.self) { _ = try await cars.storeOne(Car(id: 1, name: "a")) }
    #expect(try await Self.look(database) == (.integer(0), before))
    #expect(try await cars.find(Criteria()).value.isEmpty)
  }

  @Test func `What is taken back has no number`() async throws {
    struct Refusal: Error {}
    let before = database.commits.current
    await #expect(throws: Refusal.self) {
      try await database.write { db in
        try db.execute("UPDATE counter SET count = 7")
        throw Refusal()
      }
    }
    #expect(database.commits.current == before)
  }

  @Test func `A commit that the app made itself is counted, though it is refused`() async throws {
    let before = database.commits.current
    await #expect(throws: SQLiteError.self) {
      try await database.write { db in
        try db.execute("UPDATE counter SET count = 7")
        try db.execute("COMMIT")
      }
    }
    #expect(database.commits.current > before)
  }

  @Test func `A database in memory numbers its commits too`() async throws {
    let memory = try SQLiteDatabase.inMemory()
    try await memory.write { _ = try $0.execute("CREATE TABLE counter (count INTEGER)") }
    let (value, version) = try await Self.look(memory)
    #expect(value == nil)
    #expect(version == memory.commits.current && version > 0)
  }

  @Test func `A commit of another connection has a number when it is told`() async throws {
    let notes = try SQLiteRepository<Note>(database)
    let (changes, continuation) = AsyncStream<UInt64>.makeStream()
    let commits = database.commits
    let observation = notes.observeChanges { _ in continuation.yield(commits.current) }
    let before = commits.current
    let others = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path()))
    try await others.store([Note(id: 1)])
    for await told in changes {
      #expect(told > before)
      break
    }
    observation.cancel()
  }

  @Test
  func `A model is encoded before its commit, so that the app's code keeps no reader waiting`()
    async throws
  {
    let (commits, passed) = (database.commits, Lock<[Bool]>([]))
    let models = try SQLiteRepository<Looking>(database)
    Looking.look.withLock {
      $0 = {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          try? commits.betweenCommits { _ = $0 }
          done.signal()
        }
        let isFree = done.wait(timeout: .now() + 60) == .success
        passed.withLock { $0.append(isFree) }
      }
    }
    try await models.storeOne(Looking(id: 1))
    try await models.updateOne(Looking(id: 1))
    Looking.look.withLock { $0 = nil }
    #expect(passed.withLock { $0 } == [true, true])
  }

  /// A model that does something each time it is encoded.
  private struct Looking: Codable, Identifiable {
    static let look = Lock<(@Sendable () -> Void)?>(nil)
    var id: Int

    enum CodingKeys: CodingKey { case id }

    init(id: Int) { self.id = id }

    func encode(to encoder: any Encoder) throws {
      Self.look.withLock { $0 }?()
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
    }
  }

  private struct Note: Codable, Identifiable {
    var id: Int
  }
}
