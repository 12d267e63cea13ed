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

  /// Records what is told on the database's queue.
  private final class Told: @unchecked Sendable {  // a lock guards the values
    private let lock = NSLock()
    private var values: [SQLiteDatabase.BackupProgress] = []

    func add(_ value: SQLiteDatabase.BackupProgress) -> Int {
      lock.withLock {
        values.append(value)
        return values.count
      }
    }

    var all: [SQLiteDatabase.BackupProgress] { lock.withLock { values } }
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  private func refusal(_ path: String, replacing: Bool = false) async throws -> SQLiteError {
    let before = try files()
    let error = await #expect(throws: SQLiteError.self) {
      try await database.backup(to: path, replacing: replacing)
    }
    #expect(try files() == before)
    return try #require(error)
  }

  @Test func `A backup is one file that holds what the database held`() async throws {
    let told = Told()
    try await database.backup(to: copy) { _ = told.add($0) }
    #expect(try files().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
    #expect(told.all.count > 2)
    #expect(told.all.last.map { $0.copiedPageCount == $0.pageCount } == true)
    #expect(told.all.map(\.copiedPageCount) == told.all.map(\.copiedPageCount).sorted())
    let opened = try SQLiteDatabase(path: copy)
    #expect(try await opened.check().isEmpty)
    let found = try await SQLiteRepository<Car>(opened).find(Criteria()).value
    #expect(found == (try await cars.find(Criteria()).value))
  }

  @Test func `What is written while a backup runs is not in it, and does not wait`() async throws {
    let gate = ThreadGate()
    let told = Told()
    let (database, copy) = (database, copy)
    async let backup: Void = database.backup(to: copy) { progress in
      guard told.add(progress) == 1 else { return }
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    try await cars.store((2000..<2100).map { Car(id: $0, name: "late") })
    try await cars.remove((0..<100).map { Car(id: $0, name: "") })
    gate.release()
    try await backup
    let found = try await SQLiteRepository<Car>(SQLiteDatabase(path: copy)).find(Criteria()).value
    #expect(found.map(\.id) == Array(0..<2000))
    #expect(try await cars.find(Criteria()).value.map(\.id) == Array(100..<2100))
  }

  @Test func `A cancelled backup leaves nothing behind, and an earlier one as it was`() async throws
  {
    try await database.backup(to: copy)
    let content = try Data(contentsOf: URL(filePath: copy))
    try await cars.remove([Car(id: 0, name: "")])
    let before = try files()
    let gate = ThreadGate()
    let told = Told()
    let (database, copy) = (database, copy)
    let task = Task {
      try await database.backup(to: copy, replacing: true) { progress in
        guard told.add(progress) == 1 else { return }
        gate.arrive()
        gate.waitForRelease()
      }
    }
    await gate.waitForArrival()
    task.cancel()
    gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(told.all.count == 1)
    #expect(try files() == before)
    #expect(try Data(contentsOf: URL(filePath: copy)) == content)
    try await database.backup(to: copy, replacing: true)
    let found = try await SQLiteRepository<Car>(SQLiteDatabase(path: copy)).find(Criteria()).value
    #expect(found.count == 1999)
  }

  @Test func `A file that is there is replaced only when told`() async throws {
    try await database.backup(to: copy)
    let error = try await refusal(copy)
    #expect(error.code == .targetExists)
    #expect(
      error.description
        == "Writing the backup in \"\(copy)\" failed: a file of this path already exists; use "
        + "another path, or pass replacing: true.")
    try await database.backup(to: copy, replacing: true)
    try Data().write(to: URL(filePath: copy))
    try await database.backup(to: copy, replacing: true)
  }

  @Test(arguments: [true, false])
  func `What came to the path while the backup was made is not replaced`(
    replaces: Bool
  ) async throws {
    let content = Data("A letter, and not a database.".utf8)
    let copy = copy
    let error = await #expect(throws: SQLiteError.self) {
      try await database.backup(to: copy, replacing: replaces) { progress in
        guard progress.copiedPageCount == progress.pageCount else { return }
        try? content.write(to: URL(filePath: copy))
      }
    }
    #expect(error?.code == .targetExists)
    #expect(
      error?.description == "Writing the backup in \"\(copy)\" failed: "
        + (replaces
          ? "the file there is not an SQLite database; move it away first."
          : "a file of this path already exists; use another path, or pass replacing: true."))
    #expect(try Data(contentsOf: URL(filePath: copy)) == content)
    #expect(try files().filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
  }

  @Test func `A database that was opened while the backup was made is not replaced`() async throws {
    try await database.backup(to: copy)
    let opened = Lock<SQLiteRepository<Car>?>(nil)
    let copy = copy
    let error = await #expect(throws: SQLiteError.self) {
      try await database.backup(to: copy, replacing: true) { _ in
        opened.withLock { opened in
          guard opened == nil else { return }
          opened = try? SQLiteRepository<Car>(SQLiteDatabase(path: copy))
        }
      }
    }
    #expect(error?.description.contains("it has a log beside it") == true)
    #expect(try await opened.withLock { $0 }?.find(Criteria()).value.count == 2000)
  }

  @Test func `What is no database is never replaced`() async throws {
    let content = Data("A letter, and not a database.".utf8)
    try content.write(to: URL(filePath: copy))
    let error = try await refusal(copy, replacing: true)
    #expect(error.code == .targetExists)
    #expect(
      error.description == "Writing the backup in \"\(copy)\" failed: the file there is not an "
        + "SQLite database; move it away first.")
    #expect(try Data(contentsOf: URL(filePath: copy)) == content)
  }

  #if os(Linux)
    @Test func `What is there and cannot be read is not replaced`() async throws {
      // A file of the system's, from which nobody reads, root included.
      let path = "/proc/self/clear_refs"
      let reason = geteuid() == 0 ? "Invalid argument" : "Permission denied"
      let error = try await refusal(path, replacing: true)
      #expect(error.code == .cannotOpen)
      #expect(
        error.description == "Writing the backup in \"\(path)\" failed: Evocation cannot read the "
          + "file there to see whether it is a database: \(reason); check its rights, or try "
          + "again.")
    }
  #endif

  @Test func `The database is no place for its own backup, by whatever path`() async throws {
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for path in [path, link] {
      let error = try await refusal(path, replacing: true)
      #expect(error.code == .targetExists)
      #expect(
        error.description == "Writing the backup in \"\(path)\" failed: it is the database "
          + "itself; use another path.")
    }
    #expect(try await cars.find(Criteria()).value.count == 2000)
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func `A log that lies beside the path is not taken for the backup's`(log: String) async throws {
    try Data([1]).write(to: URL(filePath: copy + log))
    let error = try await refusal(copy)
    #expect(error.code == .targetExists)
    #expect(
      error.description
        == "Writing the backup in \"\(copy)\" failed: it has a log beside it, because a database "
        + "of this path is open or was not closed; close it, or use another path.")
  }

  @Test func `A path that cannot be a file is refused`() async throws {
    let error = try await refusal(folder.url.path)
    #expect(error.code == .cannotOpen)
    #expect(
      error.description == "Writing the backup in \"\(folder.url.path)\" failed: the path is a "
        + "folder; pass the path of a file in it.")
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

  @Test func `A database in memory is backed up, and so is an empty one`() async throws {
    let memory = try SQLiteDatabase.inMemory()
    try await memory.backup(to: copy)
    try await SQLiteRepository<Car>(memory).store([Car(id: 1, name: "a")])
    try await memory.backup(to: copy, replacing: true)
    let found = try await SQLiteRepository<Car>(SQLiteDatabase(path: copy)).find(Criteria()).value
    #expect(found.map(\.id) == [1])
  }
}
