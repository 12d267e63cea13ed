import Dispatch
import Evocation
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What may take long, and where it is done.
@Suite(.patient) struct LogMoverTests {
  private let folder: TemporaryFolder
  private let gate = ThreadGate()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func cars() throws -> SQLiteRepository<Car> {
    try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
  }

  private func size(_ end: String = "") -> Int { FileManager.default.size(folder.path() + end) }

  /// Keeps what moves the log from doing so, until the gate is released.
  private func holdMover(_ database: SQLiteDatabase) async throws {
    let (gate, mover) = (gate, try #require(database.mover))
    mover.queue.async {
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
  }

  @Test func `A write of one model leaves it to another thread to move a long log`() async throws {
    let cars = try cars()
    try await holdMover(cars.database)
    let before = size()
    for id in 1...1_500 { try await cars.storeOne(Car(id: id, name: "a")) }
    #expect(size("-wal") > 1_000 * 4_096)
    #expect(size() == before)
    gate.release()
    try await eventually("the log is moved") { size() > before }
    let next = Lock(1_500)
    try await eventually("the log begins anew") {
      let id = next.withLock { id in
        id += 1
        return id
      }
      try await cars.storeOne(Car(id: id, name: "a"))
      return try await cars.database.writing { $0.logPageCount } < 500
    }
    #expect(try await cars.find(Criteria()).value.count == next.withLock { $0 })
  }

  @Test(arguments: [false, true])
  func `The log stays short under many writes, also where nothing else moves it`(
    isHeld: Bool
  ) async throws {
    let cars = try cars()
    if isHeld { try await holdMover(cars.database) }
    for id in 1...20_000 {
      try await cars.storeOne(Car(id: id, name: "a"))
      // A reader that keeps its snapshot would keep the log from beginning anew.
      if id.isMultiple(of: 100) { _ = try await cars.findOne(["id": id]) }
    }
    #expect(size("-wal") < 5_000 * 4_128)
    if isHeld { gate.release() }
    await cars.database.close()
    #expect(size("-wal") == 0)
  }

  @Test func `However long a log is, no write moves it on its caller's thread`() async throws {
    let cars = try cars()
    try await holdMover(cars.database)
    let turns = CountedTurns()
    // A write takes another turn of its caller's only if it was made on a queue of the database.
    try await Task(executorPreference: turns) {
      for id in 1...3_000 { try await cars.storeOne(Car(id: id, name: "a")) }
    }.value
    #expect(turns.count == 1)
    try await Task(executorPreference: turns) {
      for id in 3_001...9_000 { try await cars.storeOne(Car(id: id, name: "a")) }
    }.value
    #expect((3...100).contains(turns.count))
    #expect(size("-wal") < 5_000 * 4_128)
    gate.release()
  }

  @Test func `A reader of an old state lets few writes wait, however long it keeps the log`()
    async throws
  {
    let cars = try cars()
    try await cars.storeOne(Car(id: 0, name: "a"))
    let reading = Task { [gate] in
      try await cars.database.read { db in
        _ = try db.rows("SELECT count(*) FROM car")
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    let turns = CountedTurns()
    try await Task(executorPreference: turns) {
      for id in 1...10_000 { try await cars.storeOne(Car(id: id, name: "a")) }
    }.value
    #expect(size("-wal") > 8_000 * 4_128)
    #expect(turns.count < 500)
    gate.release()
    try await reading.value
  }

  @Test func `A checkpoint does not fail because the log is moved beside it`() async throws {
    let cars = try cars()
    for round in 0..<20 {
      for id in 1...300 { try await cars.storeOrUpdate([Car(id: id, name: "\(round)")]) }
      #expect(try await cars.database.checkpoint(.truncate).isComplete)
    }
  }

  @Test func `The first read opens its connection away from the caller's thread`() async throws {
    /// How often the caller's thread was needed for a first read and for a second one.
    func turns() async throws -> [Int] {
      let cars = try cars()
      try await cars.storeOrUpdate([Car(id: 1, name: "a")])
      let turns = CountedTurns()
      var counts: [Int] = []
      for _ in 0..<2 {
        let name = Task(executorPreference: turns) {
          try await cars.findOne(["id": 1]).value?.name
        }
        #expect(try await name.value == "a")
        counts.append(turns.count - counts.reduce(0, +))
      }
      await cars.database.close()
      return counts
    }
    // Where the caller comes to wait after the connection was opened, it goes on without a turn.
    var counts: [Int] = []
    for _ in 0..<100 where counts.first != 2 { counts = try await turns() }
    #expect(counts == [2, 1])
  }

  @Test(arguments: SQLiteDatabase.Configuration.Synchronous.allCases)
  func `What is full empties the drive's cache too`(
    synchronous: SQLiteDatabase.Configuration.Synchronous
  ) async throws {
    let database = try SQLiteDatabase(
      path: folder.path(), configuration: .init(synchronous: synchronous))
    let expected: [Criteria.Scalar] = synchronous == .full ? [.integer(1)] : [.integer(0)]
    for pragma in ["fullfsync", "checkpoint_fullfsync"] {
      let rows = try await database.write { try $0.rows("PRAGMA \(pragma)") }
      #expect(rows.map(\.values) == [expected])
    }
    let mover = try database.mover?.withConnection { try $0.first("PRAGMA checkpoint_fullfsync") }
    #expect(mover == .integer(synchronous == .full ? 1 : 0))
  }

  @Test func `A sign-out empties the drive's cache, and what comes later does as before`()
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let (during, after) = try await database.writing { connection in
      let pragmas = ["synchronous", "fullfsync"]
      let during = try connection.durably {
        try pragmas.map { try connection.first("PRAGMA \($0)") }
      }
      return (during, try pragmas.map { try connection.first("PRAGMA \($0)") })
    }
    #expect(during == [.integer(2), .integer(1)])
    #expect(after == [.integer(1), .integer(0)])
  }
}

/// Runs tasks, and counts how often they begin or go on.
private final class CountedTurns: TaskExecutor {
  private let queue = DispatchQueue(label: "turns")
  private let turns = Lock(0)

  var count: Int { turns.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    turns.withLock { $0 += 1 }
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
