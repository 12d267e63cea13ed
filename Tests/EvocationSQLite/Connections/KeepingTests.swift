import Evocation
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What it means for others that a database keeps a state between its short reads.
@Suite(.patient) struct KeepingTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    cars = try SQLiteRepository<Car>(database)
    try await cars.store((1...3).map { Car(id: $0, name: "a") })
  }

  /// Reads until a state is kept.
  private func keep() async throws {
    let (cars, mover) = (cars, try #require(database.mover))
    try await eventually("a state is kept") {
      _ = try await cars.findOne(["id": 1])
      return mover.isKeeping
    }
  }

  @Test func `A state is kept while it is read, and let go soon after`() async throws {
    let mover = try #require(database.mover)
    #expect(!mover.isKeeping)
    try await keep()
    try await eventually("it is let go") { !mover.isKeeping }
    #expect(try await cars.findOne(["id": 2]).value?.name == "a")
  }

  @Test func `A read sees each commit, also where a state from before it is kept`() async throws {
    for number in 1...50 {
      try await keep()
      try await cars.storeOrUpdate([Car(id: 1, name: "\(number)")])
      #expect(try await cars.findOne(["id": 1]).value?.name == "\(number)")
    }
  }

  @Test func `A suspended database keeps nothing, and does again when it is resumed`() async throws
  {
    let mover = try #require(database.mover)
    for _ in 1...3 {
      try await keep()
      await database.suspend()
      #expect(!mover.isKeeping)
      database.resume()
    }
    try await keep()
    await database.close()
    #expect(!mover.isKeeping)
    #expect(!FileManager.default.fileExists(atPath: folder.path() + "-wal"))
  }

  #if os(macOS) || os(Linux)
    @Test func `A commit of another process is seen at once`() async throws {
      let other = try await OtherProcess(folder.path())
      for number in 1...50 {
        try await keep()
        try await other.run("UPDATE car SET name = '\(number)' WHERE id = 1")
        #expect(try await cars.findOne(["id": 1]).value?.name == "\(number)")
      }
    }

    @Test func `No state is kept while another process writes and this one does too`() async throws
    {
      let mover = try #require(database.mover)
      let other = try await OtherProcess(folder.path())
      try await other.run("UPDATE car SET name = 'b' WHERE id = 1")
      try await keep()
      try await cars.storeOrUpdate([Car(id: 2, name: "c")])
      #expect(!mover.isKeeping)
      for _ in 1...100 { _ = try await cars.findOne(["id": 1]) }
      #expect(!mover.isKeeping)
      try await keep()
    }

    @Test func `Writes of one process alone count as no other's, also where they fail`()
      async throws
    {
      for number in 1...20 {
        try await cars.storeOrUpdate([Car(id: 1, name: "\(number)")])
        await #expect(throws: EvocationError.self) { try await cars.store([Car(id: 1, name: "x")]) }
        try await cars.storeOne(Car(id: 100 + number, name: "x"))
        _ = try await database.checkpoint(number.isMultiple(of: 2) ? .truncate : .passive)
        _ = try await cars.find(Criteria())
      }
      #expect(try #require(database.mover).hasNoticedNobody)
    }

    @Test func `Reads without a pause keep no other process from emptying the log`() async throws {
      let other = try await OtherProcess(folder.path(), timeout: 60)
      let cars = cars
      let reading = Task {
        while !Task.isCancelled {
          _ = try await cars.findOne(["id": 1])
          // A read of one model does not wait, and would keep the thread from others.
          await Task.yield()
        }
      }
      for number in 1...5 {
        try await other.run("UPDATE car SET name = '\(number)'")
        #expect(
          try await other.run("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("done [(0, 0, 0)]"))
      }
      reading.cancel()
      _ = await reading.result
    }

    @Test func `Reads without a pause let the log of another process begin anew`() async throws {
      let other = try await OtherProcess(folder.path())
      let cars = cars
      let reading = Task {
        while !Task.isCancelled {
          _ = try await cars.findOne(["id": 1])
          // A read of one model does not wait, and would keep the thread from others.
          await Task.yield()
        }
      }
      try await other.run(
        "CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
          + "LIMIT 200) SELECT i, randomblob(3000) AS bytes FROM n")
      // Each writes about 200 pages, so without a gap the log would have 40,000 of them.
      for _ in 1...200 { try await other.run("UPDATE filler SET bytes = randomblob(3000)") }
      reading.cancel()
      _ = await reading.result
      let size = FileManager.default.size(folder.path() + "-wal")
      #expect(size < 10_000 * 4_120, "the log has \(size) bytes")
    }
  #endif
}
