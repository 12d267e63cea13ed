import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// In which order writes go of which some can wait.
@Suite(.patient) struct OutboxPriorityTests {
  private struct Author: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }

  private struct Book: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var author: Int?
  }

  private let folder: TemporaryFolder
  /// What came to either service, in order.
  private let arrived: Lock<[String]>
  private let authors: ScriptedService<Author>
  private let books: ScriptedService<Book>

  init() throws {
    folder = try TemporaryFolder()
    let arrived = Lock<[String]>([])
    self.arrived = arrived
    authors = ScriptedService { request, _ in
      arrived.withLock { $0.append("\(request.kind) author \(request.model.id)") }
      return nil
    }
    books = ScriptedService { request, _ in
      arrived.withLock { $0.append("\(request.kind) book \(request.model.id)") }
      return nil
    }
  }

  private func evocation<A: OutboxRepository<Author>, B: OutboxRepository<Book>>(
    _ localAuthors: A, _ localBooks: B
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), chance: { 0.5 },
        outbox: .init(concurrency: 1, sendsAutomatically: false)))
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: localAuthors).strategy(.offlineFirst)
    evocation.register(for: Book.self).repository(remote: books).repository(local: localBooks)
      .strategy(.offlineFirst).sends(after: Author.self, by: \.author)
    return evocation
  }

  private func open() throws -> (Evocation, SQLiteDatabase) {
    let database = try SQLiteDatabase(path: folder.path())
    return (try evocation(SQLiteRepository(database), SQLiteRepository(database)), database)
  }

  private func rule(_ priority: Strategy.Priority) -> Strategy.Rule {
    Strategy.Rule(target: .local, synchronize: .outbox, priority: priority)
  }

  /// Who sends what was written.
  enum Sender: CaseIterable {
    case memory, file, laterStart, anotherProcess
  }

  /// What the second write is to the first one.
  enum Relation: CaseIterable {
    case none, ofSameModel, refersToIt, removesWhatItReferredTo
  }

  struct Writes: Sendable {
    let relation: Relation
    let first: Strategy.Priority
    let second: Strategy.Priority

    static let all = Relation.allCases.flatMap { relation in
      Strategy.Priority.allCases.flatMap { first in
        Strategy.Priority.allCases.map { Writes(relation: relation, first: first, second: $0) }
      }
    }

    /// The two writes as they arrive.
    var names: [String] {
      switch relation {
      case .none: ["store book 1", "store book 2"]
      case .ofSameModel: ["remove book 1", "store book 1"]
      case .refersToIt: ["store author 1", "store book 1"]
      case .removesWhatItReferredTo: ["remove book 1", "remove author 1"]
      }
    }

    /// The order in which they arrive with a third one, which is of its own.
    var expected: [String] {
      let isAwaited = relation != .none && second == .normal
      let writes = [
        (names[0], isAwaited ? .normal : first), (names[1], second), ("store book 9", .normal),
      ]
      return Strategy.Priority.allCases.flatMap { priority in
        writes.filter { $0.1 == priority }.map(\.0)
      }
    }
  }

  private func write(_ writes: Writes, by evocation: Evocation) async throws {
    let (first, second) = (rule(writes.first), rule(writes.second))
    let book = Book(id: 1, author: 1)
    switch writes.relation {
    case .none:
      _ = await evocation.storeOne(Book(id: 1), rule: first)
      _ = await evocation.storeOne(Book(id: 2), rule: second)
    case .ofSameModel:
      _ = await evocation.removeOne(book, rule: first)
      _ = await evocation.storeOne(book, rule: second)
    case .refersToIt:
      _ = await evocation.storeOne(Author(id: 1), rule: first)
      _ = await evocation.storeOne(book, rule: second)
    case .removesWhatItReferredTo:
      _ = await evocation.storeOne(Author(id: 1), rule: .localOnly)
      _ = await evocation.storeOne(book, rule: .localOnly)
      _ = await evocation.removeOne(book, rule: first)
      _ = await evocation.removeOne(Author(id: 1), rule: second)
    }
    _ = await evocation.storeOne(Book(id: 9), rule: rule(.normal))
  }

  @Test(arguments: Sender.allCases, Writes.all)
  func `what can wait is sent after all others, but before what waits for it`(
    sender: Sender, writes: Writes
  ) async throws {
    var databases: [SQLiteDatabase] = []
    var evocation = evocation(InMemoryRepository<Author>(), InMemoryRepository<Book>())
    if sender != .memory {
      let (opened, database) = try open()
      (evocation, databases) = (opened, [database])
    }
    try await write(writes, by: evocation)
    switch sender {
    case .memory, .file: break
    case .laterStart:
      await databases.removeLast().close()
      fallthrough
    case .anotherProcess:
      let (opened, database) = try open()
      evocation = opened
      databases.append(database)
    }
    let sent = writes.names.count + 1
    #expect(
      await evocation.outbox.flush() == Outbox.FlushResult(sent: sent, left: 0, parked: 0))
    #expect(arrived.withLock { $0 } == writes.expected)
    for database in databases { await database.close() }
  }

  @Test func `what can wait is about every eighth write while there are others`() async throws {
    let (evocation, database) = try open()
    for id in 1...3 { _ = await evocation.storeOne(Book(id: id), rule: rule(.utility)) }
    for id in 1...30 { _ = await evocation.storeOne(Author(id: id)) }
    #expect(await evocation.outbox.flush().left == 0)
    let turns = arrived.withLock { arrived in
      arrived.indices.filter { arrived[$0].contains("book") }
    }
    #expect(turns == [7, 15, 23])
    await database.close()
  }

  @Test func `entries say how urgent they are, and stay in the order of the calls`() async throws {
    let (evocation, database) = try open()
    _ = await evocation.storeOne(Book(id: 1), rule: rule(.utility))
    _ = await evocation.storeOne(Book(id: 2))
    let entries = try await evocation.outbox.entries(of: Book.self)
    #expect(entries.map(\.model.id) == [1, 2])
    #expect(entries.map(\.priority) == [.utility, .normal])
    #expect(try await evocation.outbox.status().pending == 2)
    await database.close()
  }

  @Test func `requests of writes that can wait let those of the user pass`() async throws {
    let passed = Lock<[Int]>([])
    let service = ScriptedService<Book> { request, _ in
      if BackgroundWork.isCurrent { passed.withLock { $0.append(request.model.id) } }
      return nil
    }
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Book.self).repository(remote: service)
      .repository(local: InMemoryRepository<Book>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Book(id: 1), rule: rule(.utility))
    _ = await evocation.storeOne(Book(id: 2))
    // Whoever has it send.
    let flush = await BackgroundWork.$current.withValue(BackgroundWork()) {
      await evocation.outbox.flush()
    }
    #expect(flush.sent == 2)
    #expect(passed.withLock { $0 } == [1])
  }

  @Test func `what failed is as urgent as before`() async throws {
    let (clock, folder) = (ManualClock(), folder)
    let database = try SQLiteDatabase(path: folder.path())
    let service = ScriptedService<Book> { request, _ in
      if request.number == 1 { throw Refused(.transient) }
      return nil
    }
    let evocation = Evocation.flushedByHand(clock: clock)
    evocation.register(for: Book.self).repository(remote: service)
      .repository(local: try SQLiteRepository<Book>(database)).strategy(.offlineFirst)
    _ = await evocation.storeOne(Book(id: 1), rule: rule(.utility))
    #expect(await evocation.outbox.flush().left == 1)
    let entry = try #require(try await evocation.outbox.entries(of: Book.self).first)
    #expect(entry.attempts == 1 && entry.priority == .utility)
    for id in 2...3 { _ = await evocation.storeOne(Book(id: id)) }
    clock.advance(by: .minutes(10))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(service.requests.map(\.model.id) == [1, 2, 3, 1])
    await database.close()
  }

  @Test(arguments: ["flags = NULL, state = NULL", "state = NULL", "until = 5"])
  func `what an earlier version or damage leaves of an entry that can wait is sent`(
    change: String
  ) async throws {
    let (first, database) = try open()
    _ = await first.storeOne(Book(id: 1), rule: rule(.utility))
    _ = await first.storeOne(Book(id: 2), rule: rule(.utility))
    try await database.write { access in
      try access.execute("UPDATE evocation_entries SET \(change)")
    }
    await database.close()
    let (second, reopened) = try open()
    #expect(
      await second.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(arrived.withLock { $0 } == ["store book 1", "store book 2"])
    await reopened.close()
  }

  @Test func `many entries that can wait cost each of the others little`() async throws {
    let watched = WatchedOutbox(InMemoryRepository<Book>())
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Book.self).repository(remote: books).repository(local: watched)
      .strategy(.offlineFirst)
    for id in 1...2_000 { _ = await evocation.storeOne(Book(id: id), rule: rule(.utility)) }
    _ = await evocation.storeOne(Book(id: 0))
    watched.work.withLock { $0 = 0 }
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived.withLock { $0.first } == "store book 0")
    #expect(watched.work.withLock { $0 } < 2_001 * 60)
  }
}
