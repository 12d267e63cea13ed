import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// In which order writes go that lie in one file, or in tables of one name in two.
@Suite(.patient) struct OutboxFileOrderTests {
  private struct Author: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }

  private struct Book: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var author: Int
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
    let books = ScriptedService<Book> { request, _ in
      arrived.withLock { $0.append("\(request.kind) book \(request.model.id)") }
      return nil
    }
    authors = ScriptedService { request, _ in
      arrived.withLock { $0.append("\(request.kind) author \(request.model.id)") }
      let id = request.model.id
      if request.kind == .remove, try await books.all.contains(where: { $0.author == id }) {
        throw Refused(.permanent)
      }
      return nil
    }
    self.books = books
  }

  private func open(
    _ database: SQLiteDatabase
  ) async throws -> (Evocation, SQLiteRepository<Author>, SQLiteRepository<Book>) {
    let localAuthors = try SQLiteRepository<Author>(database)
    let localBooks = try SQLiteRepository<Book>(database)
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: localAuthors).strategy(.offlineFirst)
    evocation.register(for: Book.self).repository(remote: books).repository(local: localBooks)
      .strategy(.offlineFirst).sends(after: Author.self, by: \.author)
    return (evocation, localAuthors, localBooks)
  }

  @Test(arguments: [true, false])
  func `models of one file are removed in the order in which the app removed them`(
    isRestarted: Bool
  ) async throws {
    var database = try SQLiteDatabase(path: folder.path())
    var (evocation, localAuthors, localBooks) = try await open(database)
    let (author, book) = (Author(id: 1), Book(id: 1, author: 1))
    _ = try await authors.models.store([author])
    _ = try await books.models.store([book])
    try await localAuthors.store([author])
    try await localBooks.store([book])
    _ = await evocation.removeOne(book)
    _ = await evocation.removeOne(author)
    if isRestarted {
      await database.close()
      database = try SQLiteDatabase(path: folder.path())
      (evocation, localAuthors, localBooks) = try await open(database)
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(arrived.withLock { $0 } == ["remove book 1", "remove author 1"])
    #expect(try await authors.all.isEmpty)
    await database.close()
  }

  @Test func `what was added before a removal goes before it, where it refers to what is removed`()
    async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let (evocation, localAuthors, _) = try await open(database)
    _ = try await authors.models.store([Author(id: 1)])
    try await localAuthors.store([Author(id: 1)])
    _ = await evocation.storeOne(Book(id: 1, author: 1))
    _ = await evocation.removeOne(Author(id: 1))
    _ = await evocation.outbox.flush()
    #expect(arrived.withLock { $0 } == ["store book 1", "remove author 1"])
    await database.close()
  }

  @Test func `a chain of removals goes from the last link to the first`() async throws {
    let database = try SQLiteDatabase(path: folder.path())
    let (evocation, localAuthors, localBooks) = try await open(database)
    let all = (1...4).map { Author(id: $0) }
    let written = (1...8).map { Book(id: $0, author: ($0 + 1) / 2) }
    _ = try await authors.models.store(all)
    _ = try await books.models.store(written)
    try await localAuthors.store(all)
    try await localBooks.store(written)
    for author in all {
      for book in written where book.author == author.id { _ = await evocation.removeOne(book) }
      _ = await evocation.removeOne(author)
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 12, left: 0, parked: 0))
    #expect(try await authors.all.isEmpty)
    #expect(try await books.all.isEmpty)
    await database.close()
  }

  /// A model that lies in a table of the same name, in another file.
  private struct Draft: Codable, Identifiable, Sendable, Hashable {
    var id: Int
  }

  @Test(arguments: [true, false])
  func `nothing waits for a model of another file whose table has the same name`(
    isFirst: Bool
  ) async throws {
    let databases = try ["a", "b"].map { try SQLiteDatabase(path: folder.path($0)) }
    let evocation = Evocation.flushedByHand()
    let localDrafts = try SQLiteRepository<Draft>(databases[1], table: "author")
    func registerDrafts() {
      evocation.register(for: Draft.self)
        .repository(
          remote: ScriptedService<Draft>(service: "drafts") { _, _ in throw Refused(.permanent) }
        )
        .repository(local: localDrafts).strategy(.offlineFirst)
    }
    if isFirst { registerDrafts() }
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: try SQLiteRepository<Author>(databases[0])).strategy(.offlineFirst)
    if !isFirst { registerDrafts() }
    evocation.register(for: Book.self).repository(remote: books)
      .repository(local: try SQLiteRepository<Book>(databases[0])).strategy(.offlineFirst)
      .sends(after: Author.self, by: \.author)
    _ = await evocation.storeOne(Draft(id: 1))
    #expect(await evocation.outbox.flush().parked == 1)
    _ = await evocation.storeOne(Book(id: 1, author: 1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 1))
    #expect(arrived.withLock { $0 } == ["store book 1"])
    for database in databases { await database.close() }
  }
}
