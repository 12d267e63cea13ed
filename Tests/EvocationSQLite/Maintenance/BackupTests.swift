import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct BackupTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>
  private let path: String
  private let copy: String

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
    copy = folder.path("copy.sqlite")
    database = try SQLiteDatabase(path: path)
    cars = try SQLiteRepository<Car>(database)
    try await cars.store((0..<2000).map { Car(id: $0, name: String(repeating: "x", count: 600)) })
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func refusal(_ path: String) async throws -> SQLiteError {
    let before = try files()
    let error = await #expect(throws: SQLiteError.self) { try await database.backup(to: path) }
    #expect(try files() == before)
    return try #require(error)
  }

  @Test func `A backup is one file that holds what the database held`() async throws {
    try await cars.remove((0..<1000).map { Car(id: $0, name: "") })
    try await database.backup(to: copy)
    #expect(try files().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    let opened = try SQLiteDatabase(path: copy)
    #expect(try await opened.check().isEmpty)
    let copied = try SQLiteRepository<Car>(opened)
    #expect(try await copied.databaseState?.freeSize == 0)
    #expect(try await copied.find(Criteria()).value == (try await cars.find(Criteria()).value))
  }

  @Test func `What is written while a backup runs is not in it, and does not wait`() async throws {
    let held = HeldCopy(of: "car")
    let (database, copy) = (database, copy)
    async let backup: Void = held.backup(database, to: copy)
    await held.gate.waitForArrival()
    try await cars.store((2000..<2100).map { Car(id: $0, name: "late") })
    try await cars.remove((0..<100).map { Car(id: $0, name: "") })
    #expect(try await cars.find(Criteria()).value.map(\.id) == Array(100..<2100))
    #expect(try !files().contains("copy.sqlite"))
    held.gate.release()
    try await backup
    let found = try await SQLiteRepository<Car>(SQLiteDatabase(path: copy)).find(Criteria()).value
    #expect(found.map(\.id) == Array(0..<2000))
  }

  @Test func `A cancelled backup is interrupted, and leaves nothing behind`() async throws {
    let held = HeldCopy(of: "car")
    let before = try files()
    let (database, copy) = (database, copy)
    let task = Task { try await held.backup(database, to: copy) }
    await held.gate.waitForArrival()
    #expect(try files() != before)
    task.cancel()
    held.gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try files() == before)
  }

  @Test func `A file that is there is never replaced, whatever it is`() async throws {
    let folder = folder.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let link = self.folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try await database.backup(to: copy)
    for path in [copy, path, link, folder] {
      let error = try await refusal(path)
      #expect(error.code == .targetExists)
      #expect(
        error.description
          == "Writing the backup in \"\(path)\" failed: a file of this path already exists; use "
          + "another path.")
    }
    #expect(try await cars.count() == 2000)
  }

  @Test func `What came to the path while the backup was made is not replaced`() async throws {
    let content = Data("A letter, and not a database.".utf8)
    let held = HeldCopy(of: "car")
    let (database, copy) = (database, copy)
    let task = Task { try await held.backup(database, to: copy) }
    await held.gate.waitForArrival()
    try content.write(to: URL(filePath: copy))
    held.gate.release()
    let error = await #expect(throws: SQLiteError.self) { try await task.value }
    #expect(error?.code == .targetExists)
    #expect(try Data(contentsOf: URL(filePath: copy)) == content)
    #expect(try files().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func `A log that lies beside the path is not taken for the backup's`(log: String) async throws {
    try Data([1]).write(to: URL(filePath: copy + log))
    let error = try await refusal(copy)
    #expect(error.code == .targetExists)
    #expect(
      error.description
        == "Writing the backup in \"\(copy)\" failed: the log of another database lies beside it; "
        + "use another path.")
  }

  @Test func `A path that cannot be a file is refused`() async throws {
    let nowhere = try await refusal("/nowhere/at/all.sqlite")
    #expect(nowhere.code == .cannotOpen)
    #expect(
      nowhere.description == "Writing the backup in \"/nowhere/at/all.sqlite\" failed: SQLite "
        + "cannot open the file; check that its folder exists and is writable.")
    for path in ["", "a\0b", ":memory:"] {
      #expect(
        try await refusal(path).description
          == "Writing the backup failed: the path names no file.")
    }
  }

  #if os(macOS) || os(Linux)
    @Test func `A backup for which there is no room leaves nothing behind`() async throws {
      await database.close()
      let text = try await Child.shell(
        "ulimit -f 1024; trap '' XFSZ; exec \"$0\" backup \"$1\"", path
      ).text
      #expect(
        text == "Writing the backup in \"\(path).copy\" failed: the disk is full; free space and "
          + "try again.\n")
      #expect(try files().allSatisfy { !$0.contains("copy") })
    }
  #endif

  @Test func `A database in memory is backed up, and so is an empty one`() async throws {
    let memory = try SQLiteDatabase.inMemory()
    try await memory.backup(to: folder.path("empty.sqlite"))
    try await SQLiteRepository<Car>(memory).store([Car(id: 1, name: "a")])
    try await memory.backup(to: copy)
    let found = try await SQLiteRepository<Car>(SQLiteDatabase(path: copy)).find(Criteria()).value
    #expect(found.map(\.id) == [1])
  }
}
