import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Files that your app replaces or deletes while a database has them open.
@Suite(.patient) struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path()
    database = try SQLiteDatabase(path: path)
    cars = try SQLiteRepository<Car>(database)
    try await cars.storeOne(Car(id: 1, name: "old"))
  }

  enum Change: CaseIterable {
    case replaced, deleted

    var sentence: String {
      switch self {
      case .replaced:
        "another file has replaced it while it was open; close the database before your app "
          + "replaces its file, and open it again."
      case .deleted:
        "the file was deleted or moved while it was open; close the database before your app does "
          + "that."
      }
    }
  }

  /// Makes another database, and moves it to the path, with its log or without one.
  private func replace(withLog: Bool = false) async throws {
    let other = try SQLiteDatabase(path: folder.path("other"))
    try await SQLiteRepository<Car>(other).storeOne(Car(id: 2, name: "restored"))
    let ends = withLog ? ["-wal", ""] : [""]
    if !withLog { await other.close() }
    for end in ends {
      let copy = folder.path("copy" + end)
      try FileManager.default.copyItem(atPath: folder.path("other" + end), toPath: copy)
      #expect(rename(copy, path + end) == 0)
    }
    await other.close()
  }

  private func make(_ change: Change) async throws {
    switch change {
    case .replaced: try await replace()
    case .deleted: #expect(unlink(path) == 0)
    }
  }

  /// Writes until that fails: a commit looks at the path only now and then.
  private func refusal() async throws -> SQLiteError? {
    for id in 10..<100_000 {
      do {
        try await cars.storeOne(Car(id: id, name: "late"))
      } catch let error as SQLiteError {
        return error
      }
    }
    return nil
  }

  private func names() async throws -> [String] {
    let database = try SQLiteDatabase(path: path)
    let names = try await SQLiteRepository<Car>(database).find(Criteria()).value.map(\.name)
    #expect(try await database.check().isEmpty)
    await database.close()
    return names
  }

  @Test(arguments: Change.allCases)
  func `A reader that is opened later says so`(change: Change) async throws {
    try await make(change)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    let error = await #expect(throws: SQLiteError.self) { try await cars.find(Criteria()) }
    #expect(error?.code == .misuse)
    #expect(error?.failureKind == .permanent)
    #expect(
      error?.description == "Opening the database in \"\(path)\" failed: \(change.sentence)")
    await #expect(throws: SQLiteError.self) {
      for try await _ in cars.stream() {}
    }
    await #expect(throws: SQLiteError.self) { try await database.backup(to: folder.path("backup")) }
    // Nothing was created to find that out.
    let after = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(after == before)
  }

  @Test(arguments: Change.allCases, [false, true])
  func `A write says so, and writes nothing`(
    change: Change, isObserved: Bool
  ) async throws {
    let observation = isObserved ? cars.observeChanges { _ in } : nil
    #expect(try await cars.find(Criteria()).value.count == 1)
    try await make(change)
    let error = try await refusal()
    #expect(error?.code == .misuse)
    #expect(
      error?.description
        == "Committing a transaction in \"\(path)\" failed: \(change.sentence)")
    let count = try await cars.count()
    await #expect(throws: SQLiteError.self) {
      try await database.write { _ = try $0.execute("DELETE FROM car") }
    }
    #expect(try await cars.count() == count)
    observation?.cancel()
  }

  @Test(arguments: [false, true])
  func `Closing leaves a file that took its place as it is, with its log`(
    withLog: Bool
  ) async throws {
    #expect(try await cars.find(Criteria()).value.count == 1)
    try await replace(withLog: withLog)
    let restored = try Data(contentsOf: URL(filePath: path))
    let log = withLog ? try Data(contentsOf: URL(filePath: path + "-wal")) : nil
    await database.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == restored)
    #expect((try? Data(contentsOf: URL(filePath: path + "-wal"))) == log)
    #expect(try await names() == ["restored"])
  }

  @Test func `A file that was moved away has everything after it is closed`() async throws {
    let away = folder.path("away")
    #expect(rename(path, away) == 0)
    await database.close()
    let moved = try SQLiteDatabase(path: away)
    #expect(try await SQLiteRepository<Car>(moved).find(Criteria()).value.map(\.name) == ["old"])
  }

  @Test func `A file that is deleted before it is opened again is a new one`() async throws {
    #expect(unlink(path) == 0)
    await database.close()
    #expect(try await names() == [])
  }
}
