import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

import class Fixtures.ChildProcess

@testable import SQLiteSupport

@Suite(.patient) struct VacuumTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  private func cars() async throws -> SQLiteRepository<Car> {
    let database = try SQLiteDatabase(
      path: path, configuration: .init(busyTimeout: .milliseconds(100)))
    let cars = try SQLiteRepository<Car>(database)
    let text = String(repeating: "x", count: 2_000)
    try await cars.store((1...2_000).map { Car(id: $0, name: text) })
    try await database.checkpoint(.truncate)
    return cars
  }

  private static let purge = Criteria.Key("id") > 300

  @Test func `A file shrinks after a purge, and nobody notices anything else`() async throws {
    let cars = try await cars()
    let gone = try await cars.find(Self.purge).value
    try await cars.remove(gone)
    for _ in 0..<3 { _ = try await cars.findOne(["id": 1]) }
    let told = Lock(0)
    let observation = cars.observeChanges { _ in told.withLock { $0 += 1 } }
    let before = try #require(try await cars.databaseState)
    #expect(before.freeSize > before.size / 2)
    try await cars.database.vacuum()
    let after = try #require(try await cars.databaseState)
    #expect(after.freeSize == 0 && after.size < before.size / 2 && after.logSize == 0)
    #expect(try await cars.find(Criteria()).value.map(\.id) == Array(1...300))
    #expect(try await cars.findOne(["id": 2]).value?.id == 2)
    #expect(told.withLock { $0 } == 0)
    try await cars.storeOrUpdate([Car(id: 1, name: "new")])
    #expect(told.withLock { $0 } == 1)
    observation.cancel()
  }

  @Test func `A stream that is half-read goes on, and the file shrinks at a later checkpoint`()
    async throws
  {
    let cars = try await cars()
    var stream = cars.stream(Criteria()).makeAsyncIterator()
    #expect(try await stream.next()?.id == 1)
    try await cars.remove(try await cars.find(Self.purge).value)
    try await cars.database.vacuum()
    var count = 1
    while try await stream.next() != nil { count += 1 }
    #expect(count == 2_000)
    try await cars.database.checkpoint(.truncate)
    let after = try #require(try await cars.databaseState)
    #expect(after.freeSize == 0 && after.size < 2_000 * 2_000 / 2)
  }

  @Test(arguments: ["VACUUM", " vacuum into 'x'"])
  func `VACUUM within a transaction is refused, with what to call`(sql: String) async throws {
    let database = try SQLiteDatabase(path: path)
    for body in [
      { _ = try await database.write { try $0.execute(sql) } },
      { _ = try await database.read { try $0.rows(sql) } },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: SQLiteError.self) { try await body() }
      #expect(error?.code == .misuse)
      #expect(
        error?.description
          == "Running a statement in \"\(path)\" failed: VACUUM cannot run within a transaction; use "
          + "vacuum(), or backup(to:) in place of VACUUM INTO.")
    }
  }

  @Test func `A database in memory is vacuumed too, and a closed one is not`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store([Car(id: 1, name: "a")])
    try await database.vacuum()
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1])
    await database.close()
    let error = await #expect(throws: SQLiteError.self) { try await database.vacuum() }
    #expect(error?.code == .closed)
  }

  @Test func `The log of a large transaction is cut back`() async throws {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    let text = String(repeating: "x", count: 20_000)
    try await cars.store((1...1_000).map { Car(id: $0, name: text) })
    #expect(try #require(try await cars.databaseState).logSize > 16 << 20)
    try await database.checkpoint()
    try await cars.store([Car(id: 0, name: "next")])
    #expect(try #require(try await cars.databaseState).logSize <= 8 << 20)
  }

  #if os(macOS) || os(Linux)
    @Test func `A file that there is no room to vacuum stays as it was`() async throws {
      let text = try await Child.shell(
        "ulimit -f 1024; trap '' XFSZ; exec \"$0\" vacuum \"$1\"", path
      ).text
      #expect(
        text.split(separator: "\n") == [
          "Vacuuming the database in \"\(path)\" failed: the disk is full; free space and try again.",
          "kept all: true", "problems: []",
        ])
    }
  #endif
}
