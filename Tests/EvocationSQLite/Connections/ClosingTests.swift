import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct ClosingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
  }

  /// How often this process has the database or a file beside it open.
  private func openFiles(_ path: String) -> Int {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.count { link in
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)")
      return file?.hasPrefix(path) == true
    }
  }

  /// What a copy of the one file holds.
  private func copied(_ path: String) async throws -> [Int] {
    let copy = path + ".copy"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let database = try SQLiteDatabase(path: copy)
    let ids = try await SQLiteRepository<Car>(database).find(Criteria()).value.map(\.id)
    await database.close()
    return ids
  }

  private func page(_ ids: Range<Int>) -> [Car] { ids.map { Car(id: $0, name: "\($0)") } }

  @Test func `When a database is closed its file is, and a copy of it has all rows`() async throws {
    for round in 0..<40 {
      let path = folder.path("\(round).sqlite")
      let database = try SQLiteDatabase(path: path)
      let cars = try SQLiteRepository<Car>(database)
      let observation = cars.observeChanges { _ in }
      for number in 0..<3 {
        let record = FetchRecord(fetchedAt: Date(timeIntervalSinceReferenceDate: 5))
        // Each takes the place of the list before, which is swept in the background.
        let page = ListPage(
          list: "list", models: page(number * 10..<number * 10 + 10),
          requirements: Data("{}".utf8), place: .replacing)
        try await cars.commit(
          StoreWrite(
            list: .page(page),
            stamp: FetchStamp(tag: "list", record: record, ledger: SQLiteFetchLedger(database))))
        _ = try await cars.findOne(["id": number])
      }
      await database.close()
      #expect(openFiles(path) == 0)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
          $0.hasPrefix("\(round).")
        } == ["\(round).sqlite"])
      #expect(try await copied(path) == Array(0..<30))
      observation.cancel()
    }
  }

  @Test func `Whoever closes at the same time, or again, waits until the file is closed`()
    async throws
  {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store(page(0..<100))
    let gate = ThreadGate()
    async let reading: Void = database.read { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let path = path
    let open = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await database.close()
          return openFiles(path)
        }
      }
      gate.release()
      return await group.reduce(0, +)
    }
    try await reading
    #expect(open == 0)
    await database.close()
    #expect(try await copied(path) == Array(0..<100))
  }

  @Test func `Closing ends a stream, and what waits for its turn`() async throws {
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    try await cars.store(page(0..<1000))
    var stream = cars.stream().makeAsyncIterator()
    #expect(try await stream.next()?.id == 0)
    let gate = ThreadGate()
    async let writing: Void = database.write { db in
      gate.arrive()
      gate.waitForRelease()
      try db.execute("DELETE FROM car WHERE id = 0")
    }
    await gate.waitForArrival()
    let waiting = Task { try await database.write { try $0.execute("DELETE FROM car") } }
    async let closed: Void = database.close()
    gate.release()
    await closed
    try await writing
    #expect(openFiles(path) == 0)
    // It may have come first.
    let refused = await waiting.result
    if case .failure(let error) = refused {
      #expect((error as? SQLiteError)?.code == .closed)
    }
    let error = await #expect(throws: SQLiteError.self) {
      while try await stream.next() != nil {}
    }
    #expect(
      error?.description
        == "The call failed: your app closed the database; open another SQLiteDatabase.")
    #expect(try await stream.next() == nil)
    await #expect(throws: SQLiteError.self) { _ = try await cars.stream().first { _ in true } }
  }

  @Test func `From within a read it can be begun, and the read comes to its end`() async throws {
    let database = try SQLiteDatabase(path: path)
    let closing = Lock<Task<Void, Never>?>(nil)
    let count = try await database.read { db in
      closing.withLock { $0 = Task { await database.close() } }
      return try db.rows("SELECT 1").count
    }
    #expect(count == 1)
    await closing.withLock { $0 }?.value
    #expect(openFiles(path) == 0)
  }

  @Test func `The sample copies a file that is closed`() async throws {
    let copy = folder.path("copy.sqlite")
    let database = try SQLiteDatabase(path: path)
    try await SQLiteRepository<Car>(database).store(page(0..<10))
    await database.close()
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try await copied(copy) == Array(0..<10))
  }

  @Test func `A watch on files leaves none open when it is let go`() async throws {
    try Data().write(to: URL(filePath: path))
    let database = try SQLiteDatabase(path: path)
    let cars = try SQLiteRepository<Car>(database)
    let observations = (0..<3).map { _ in cars.observeChanges { _ in } }
    await database.close()
    // To observe what is closed opens nothing, and the end does not wait for it.
    let late = cars.observeChanges { _ in }
    await database.close()
    for observation in observations + [late] { observation.cancel() }
    #expect(openFiles(path) == 0)
  }
}
