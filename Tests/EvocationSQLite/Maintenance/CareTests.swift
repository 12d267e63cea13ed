import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct CareTests {
  private let folder: TemporaryFolder
  private let path: String
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
    database = try SQLiteDatabase(path: path)
    cars = try SQLiteRepository<Car>(database, indexes: ["year"])
    try await cars.store((0..<500).map { Car(id: $0, name: "\($0)", year: $0) })
  }

  private func size(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  }

  @Test(arguments: SQLiteDatabase.IntegrityCheck.allCases)
  func `A sound database has no problems`(check: SQLiteDatabase.IntegrityCheck) async throws {
    #expect(try await database.check(check).isEmpty)
    let memory = try SQLiteDatabase.inMemory()
    #expect(try await memory.check(check).isEmpty)
  }

  @Test func `A full check finds an index that has not what its table has`() async throws {
    try await database.write { db in
      try db.execute("PRAGMA writable_schema = 1")
      try db.execute(
        #"UPDATE sqlite_schema SET sql = replace(sql, '("year")', '("name")') WHERE type = 'index'"#
      )
      try db.execute("PRAGMA writable_schema = 0")
    }
    await database.close()
    let opened = try SQLiteDatabase(path: path)
    #expect(try await opened.check(.quick).isEmpty)
    let problems = try await opened.check(.full)
    #expect(problems.count == 100)
    #expect(problems.first?.contains("missing from index") == true, "\(problems.first ?? "")")
  }

  @Test func `A checkpoint moves the log into the file`() async throws {
    let passive = try await database.checkpoint()
    #expect(passive.isComplete)
    #expect(passive.movedPageCount > 0)
    try await cars.store([Car(id: 1000, name: "a")])
    #expect(try size(path + "-wal") != 0)
    let truncated = try await database.checkpoint(.truncate)
    #expect(truncated.isComplete)
    #expect(truncated.movedPageCount > 0)
    #expect(try size(path + "-wal") == 0)
    for mode in SQLiteDatabase.CheckpointMode.allCases {
      #expect(try await database.checkpoint(mode).movedPageCount == 0)
    }
    let memory = try SQLiteDatabase.inMemory()
    #expect(try await memory.checkpoint(.truncate).logPageCount == 0)
  }

  @Test func `A checkpoint moves what readers let it, or waits and says who kept it`() async throws
  {
    var configuration = SQLiteDatabase.Configuration()
    configuration.busyTimeout = .milliseconds(20)
    let database = try SQLiteDatabase(path: path, configuration: configuration)
    let gate = ThreadGate()
    async let reading: Void = database.read { db in
      _ = try db.rows("SELECT count(*) FROM car")
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    try await cars.store([Car(id: 1000, name: "a")])
    let passive = try await database.checkpoint(.passive)
    #expect(!passive.isComplete)
    let error = await #expect(throws: SQLiteError.self) { try await database.checkpoint(.full) }
    gate.release()
    try await reading
    #expect(error?.code == .busy)
    #expect(
      error?.description == "Making a checkpoint in \"\(path)\" failed: another connection kept "
        + "it busy longer than the timeout; try again, or raise busyTimeout.")
    #expect(try await database.checkpoint(.full).isComplete)
  }

  @Test func `The sizes and tables of a file are as an inspection tells them`() async throws {
    try await database.checkpoint(.truncate)
    try await database.write { _ = try $0.execute("CREATE TABLE \"A b\" AS SELECT 1 AS x") }
    try await cars.remove((0..<400).map { Car(id: $0, name: "") })
    let file = try #require(try await cars.databaseState)
    #expect(file.size == (try size(path)))
    #expect(file.logSize == (try size(path + "-wal")))
    #expect(file.freeSize > 0 && file.freeSize % 4096 == 0)
    #expect(file.tables == ["A b", "car"])
    let memory = try await SQLiteRepository<Car>(SQLiteDatabase.inMemory()).databaseState
    #expect(memory?.size == 0 && memory?.logSize == 0)
  }

  @Test func `A database that is reached by a link has its log where the file is`() async throws {
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try await database.checkpoint(.truncate)
    try await cars.store((1000..<2000).map { Car(id: $0, name: "not in the file") })
    let linked = try SQLiteDatabase(path: link)
    let file = try #require(try await SQLiteRepository<Car>(linked).databaseState)
    #expect(file.size == (try size(path)))
    #expect(file.logSize == (try size(path + "-wal")))
    #expect(file.logSize > 4096)
    #expect(try await linked.check().isEmpty)
  }
}
