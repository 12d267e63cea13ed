import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Answers of the service that the app's own tables do not take as they come.
@Suite(.patient) struct OutboxKeptAnswerTests {
  private struct Author: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var name = "a"
  }

  private struct Book: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var author: Int
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let clock = ManualClock()
  private let evocation: Evocation

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    evocation = .flushedByHand(clock: clock)
  }

  @Test func `an answer that breaks a unique constraint is not tried again and again`()
    async throws
  {
    let memos = try SQLiteRepository<Memo>(database)
    try await memos.store([Memo(id: 1), Memo(id: 2, title: "taken")])
    try await database.write { try $0.execute("CREATE UNIQUE INDEX one ON memo (title)") }
    let service = ScriptedService([Memo(id: 1), Memo(id: 2)]) { request, models in
      guard request.model.id == 1 else { return nil }
      return try await models.update([Memo(id: 1, title: "taken")]).value.first
    }
    evocation.register(for: Memo.self).repository(remote: service).repository(local: memos)
      .strategy(.offlineFirst)
    _ = await evocation.updateOne(Memo(id: 1, title: "mine"))
    for round in 1...4 {
      _ = await evocation.storeOne(Memo(id: 10 + round, title: "\(round)"))
      #expect(await evocation.outbox.flush().left == 0)
      clock.advance(by: .seconds(3_600))
    }
    // The service has it, and is not asked for it again; nor has the user lost it from view.
    #expect(service.requests.filter { $0.model.id == 1 }.count == 1)
    #expect(service.requests.count == 5)
    #expect(try await evocation.outbox.status().parked == 1)
    #expect(try await memos.findOne(["id": 1]).value != nil)
    await database.close()
    // Nor by the next start of the app.
    let reopened = try SQLiteDatabase(path: folder.path())
    let again = Evocation.flushedByHand(clock: clock)
    again.register(for: Memo.self).repository(remote: service)
      .repository(local: try SQLiteRepository<Memo>(reopened)).strategy(.offlineFirst)
    _ = await again.outbox.flush()
    #expect(service.requests.filter { $0.model.id == 1 }.count == 1)
    await reopened.close()
  }

  @Test(arguments: ["", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON UPDATE CASCADE"])
  func `rows that refer to a model stay, and refer to it, when the service gives it its id`(
    action: String
  ) async throws {
    try await database.write { db in
      try db.execute("CREATE TABLE author (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)")
      try db.execute(
        """
        CREATE TABLE book (id INTEGER NOT NULL PRIMARY KEY, author INTEGER NOT NULL REFERENCES author \
        (id)\(action))
        """)
    }
    let localAuthors = try SQLiteRepository<Author>(database)
    let localBooks = try SQLiteRepository<Book>(database)
    let authors = ScriptedService<Author> { request, models in
      try await models.storeOne(Author(id: 99 + request.number)).value
    }
    let books = ScriptedService<Book>()
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: localAuthors).strategy(.offlineFirst)
    evocation.register(for: Book.self).repository(remote: books).repository(local: localBooks)
      .strategy(.offlineFirst).sends(after: Author.self, by: \.author)
    _ = await evocation.storeOne(Author(id: -1))
    _ = await evocation.storeOne(Book(id: 5, author: -1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(authors.requests.count == 1)
    #expect(try await books.all == [Book(id: 5, author: 100)])
    #expect(try await localAuthors.find(Criteria()).value == [Author(id: 100)])
    #expect(try await localBooks.find(Criteria()).value == [Book(id: 5, author: 100)])
    await database.close()
  }

  @Test func `rows that were sent before stay when what they refer to gets its id`() async throws {
    try await database.write { db in
      try db.execute("CREATE TABLE author (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)")
      try db.execute(
        """
        CREATE TABLE book (id INTEGER NOT NULL PRIMARY KEY, author INTEGER NOT NULL REFERENCES author \
        (id) ON DELETE CASCADE ON UPDATE CASCADE)
        """)
    }
    let localAuthors = try SQLiteRepository<Author>(database)
    let localBooks = try SQLiteRepository<Book>(database)
    let authors = ScriptedService<Author> { request, models in
      try await models.storeOne(Author(id: 99 + request.number)).value
    }
    evocation.register(for: Author.self).repository(remote: authors)
      .repository(local: localAuthors).strategy(.offlineFirst)
    _ = await evocation.storeOne(Author(id: -1))
    // The app keeps these in the file alone.
    try await localBooks.store([Book(id: 5, author: -1)])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await localBooks.find(Criteria()).value.map(\.id) == [5])
    await database.close()
  }
}
