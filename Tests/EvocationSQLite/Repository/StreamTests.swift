import Evocation
import EvocationSQLite
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct StreamTests {
  private struct Note: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text = ""
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let notes: SQLiteRepository<Note>
  private let all = (1...1_000).map { Note(id: $0, text: "\($0 % 7)") }

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    notes = try SQLiteRepository(database)
    try await notes.store(all)
  }

  private func read(_ stream: ModelStream<Note>) async throws -> [Note] {
    var models: [Note] = []
    for try await model in stream { models.append(model) }
    return models
  }

  /// How many connections read the test's file: each has the log open once.
  ///
  /// The file itself stays open until the last one closes, because its locks are the process's.
  private var openConnections: Int {
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.count { link in
      let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)")
      return path == folder.path() + "-wal"
    }
  }

  /// Waits until so many are left: the last hold on a connection may be its own queue's.
  private func waitForConnections(_ count: Int) async throws {
    try await eventually("\(count) open connections") { openConnections == count }
  }

  private static let criteria: [Criteria] = [
    Criteria(), ["text": "3"], Criteria().sorted(by: "text", descending: true),
    Criteria().limit(256), Criteria().limit(0), Criteria(offset: 700),
  ]

  @Test(arguments: criteria)
  func `A stream gives the same models as find`(criteria: Criteria) async throws {
    #expect(try await read(notes.stream(criteria)) == notes.find(criteria).value)
    let inMemory = try SQLiteRepository<Note>(.inMemory())
    try await inMemory.store(all)
    #expect(try await read(inMemory.stream(criteria)) == notes.find(criteria).value)
  }

  @Test func `A stream can be read again`() async throws {
    let stream = notes.stream()
    #expect(try await read(stream).count == 1_000)
    try await notes.remove(all)
    #expect(try await read(stream) == [])
  }

  @Test func `A copy of an iterator goes on where the other is`() async throws {
    var iterator = notes.stream().makeAsyncIterator()
    var copy = iterator
    var models: [Note?] = []
    for _ in 1...500 { models += [try await iterator.next(), try await copy.next()] }
    #expect(models == all)
    #expect(try await copy.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `A stream keeps no writer waiting, and does not see what is written`() async throws {
    var models: [Note] = []
    for try await model in notes.stream() {
      if models.isEmpty { try await notes.remove(all) }
      models.append(model)
    }
    #expect(models == all)
    #expect(try await notes.find(Criteria()).value == [])
  }

  @Test func `A stream beyond 32 begins when one of them ends, and no read waits for that`()
    async throws
  {
    var iterators = (0..<32).map { _ in notes.stream().makeAsyncIterator() }
    for index in iterators.indices { #expect(try await iterators[index].next()?.id == 1) }
    let (stream, cancelled) = (notes.stream(), notes.stream())
    let next = Task { try await read(stream).count }
    let other = Task { try await read(cancelled).count }
    for _ in 0..<10 { #expect(try await notes.find(Criteria()).value.count == 1_000) }
    other.cancel()
    await #expect(throws: CancellationError.self) { try await other.value }
    #if os(Linux)
      #expect(openConnections <= 32 + 5)
    #endif
    iterators.removeLast()
    #expect(try await next.value == 1_000)
    iterators.append(notes.stream().makeAsyncIterator())
    #expect(try await iterators[31].next()?.id == 1)
    let late = Task { try await read(stream).count }
    let database = database
    await database.close()
    let error = await #expect(throws: SQLiteError.self) { try await late.value }
    #expect(error?.code == .closed)
  }

  @Test func `More streams than readers are read side by side, with reads among them`() async throws
  {
    var iterators = (0..<12).map { _ in notes.stream().makeAsyncIterator() }
    for number in 1...600 {
      for index in iterators.indices {
        #expect(try await iterators[index].next()?.id == number)
      }
    }
    #expect(try await notes.find(Criteria()).value.count == 1_000)
  }

  @Test func `A key that is not there is an error`() async throws {
    await #expect(throws: EvocationError.self) {
      _ = try await read(notes.stream(["nothing": 1]))
    }
  }

  @Test func `Cancelling ends a stream and frees its connection`() async throws {
    let before = openConnections
    let task = Task {
      var count = 0
      for try await _ in notes.stream() {
        count += 1
        if count == 300 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    try await waitForConnections(before)
  }

  @Test func `A stream that is let go frees its connection`() async throws {
    let before = openConnections
    do {
      var iterator = notes.stream().makeAsyncIterator()
      #expect(try await iterator.next() == all[0])
      #expect(openConnections > before)
    }
    try await waitForConnections(before)
  }
}
