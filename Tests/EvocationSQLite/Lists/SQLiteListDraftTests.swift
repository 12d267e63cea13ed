import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Refreshes of all pages in a file, whose drafts cannot be used.
@Suite(.patient) struct SQLiteListDraftTests {
  /// An app with a list of three pages, of which a refresh has fetched two aside.
  private func interrupted(
    indexes: [SQLiteIndex] = []
  ) async throws -> (file: ListedFile, app: ListedFile.App) {
    let file = try await ListedFile(pages: 3, of: 6)
    let app = try ListedFile.App(file, indexes: indexes, refreshes: .allPages)
    file.service.answersUntilOutage = 2
    #expect(try await app.list.refresh(force: true) == .failed(ShiftingService.Outage()))
    file.service.answersUntilOutage = nil
    return (file, app)
  }

  @Test(arguments: [
    "models = x'5B7B226964223A317D5D'", "models = x'00'", "models = 'text'", "requirements = x'00'",
    "draft = x'00'", "page = page + 7", "page = 'b'",
  ])
  func `A draft that cannot be read is thrown away, and the same refresh begins anew`(
    _ change: String
  ) async throws {
    let (file, app) = try await interrupted()
    try await app.write("UPDATE evocation_list_drafts SET \(change) WHERE page = 2")
    file.service.items = (11...16).map { Listed($0, "t\($0)") }
    // What a page was asked for with matters only when it is loaded again.
    let isOfUse = change.hasPrefix("requirements")
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(try await app.ids() == (isOfUse ? [1, 2, 3, 4, 15, 16] : Array(11...16)))
  }

  /// A model, and what a later version of the app has made of it.
  enum Before {
    struct Note: Codable, Identifiable, Sendable { var id: Int }
  }

  enum After {
    struct Note: Codable, Identifiable, Sendable {
      var id: Int
      var text: String?
    }
  }

  /// A list of all notes, of one of which the service has to say more.
  private func notes<Note: Codable & Identifiable & Sendable>(
    _ service: RepositoryMock<Note>, _ database: SQLiteDatabase
  ) throws -> PagingCacheRepository<ProxyPagingCacheDataSource<Note>> {
    let evocation = Evocation()
    evocation.register(for: Note.self).repository(remote: service)
      .repository(local: try SQLiteRepository<Note>(database))
    let list = evocation.pagingCache(
      Note.self, pageSize: 2, options: .init(refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }

  private static func offset<Note>(_ call: RepositoryCall<Note>) -> Int {
    if case .find(let criteria) = call { criteria.offset } else { 0 }
  }

  @Test func `A draft of models that had fewer properties is fetched anew by the same refresh`()
    async throws
  {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let calls = Lock(0)
    let list = try notes(
      RepositoryMock<Before.Note> { asked in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        if call == 4 { throw ShiftingService.Outage() }
        return (1...2).map { Before.Note(id: Self.offset(asked) + $0) }
      }, database)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.refresh(force: true) == .failed(ShiftingService.Outage()))
    let (old, new) = (list.source.tagPrefix, String(reflecting: After.Note.self))
    try await database.write { db in
      for (table, tag) in [("pages", "list"), ("list_drafts", "tag"), ("fetches", "tag")] {
        try db.execute(
          "UPDATE evocation_\(table) SET \(tag) = ? || substr(\(tag), ?)", [new, old.count - 5])
      }
    }
    await database.close()
    let service = RepositoryMock<After.Note> { asked in
      (1...2).map { After.Note(id: Self.offset(asked) + $0, text: "known") }
    }
    let later = try notes(service, try SQLiteDatabase(path: folder.path()))
    #expect(try await later.value(from: .cache).map(\.id) == [1, 2, 3, 4])
    #expect(try await later.refresh(force: true) == .successful)
    #expect(service.calls.count == 2)
    #expect(try await later.value(from: .cache).allSatisfy { $0.text == "known" })
  }

  @Test func `What a unique constraint refuses is shown, and the next refresh asks again`()
    async throws
  {
    let (file, app) = try await interrupted(indexes: [.unique("title")])
    _ = try await app.local.store([Listed(90, "t15")])
    file.service.items = (11...16).map { Listed($0, "t\($0)") }
    for _ in 0..<2 {
      let count = file.service.asked.count
      guard case .failed(let error) = try await app.list.refresh(force: true) else {
        Issue.record("The refresh did not fail.")
        return
      }
      #expect((error as? SQLiteError)?.code == .constraint)
      #expect(file.service.asked.count - count >= 3)
      #expect(try await app.ids() == Array(1...6))
    }
    _ = try await app.local.remove([Listed(90)])
    #expect(try await app.list.refresh(force: true) == .successful)
    #expect(try await app.ids() == Array(11...16))
  }

  @Test func `Where a dropped page can be loaded again is known after a restart, both ways`()
    async throws
  {
    let file = try await ListedFile(pages: 1, of: 12)
    for _ in 0..<2 {
      for expected in [1...4, 3...6, 5...8, 7...10, 9...12] {
        let app = try ListedFile.App(file, keptPages: 2)
        #expect(await app.list.goToNextPage() == .successful)
        #expect(try await app.ids() == Array(expected))
        await app.database.close()
      }
      for expected in [7...10, 5...8, 3...6, 1...4] {
        let app = try ListedFile.App(file, keptPages: 2)
        #expect(await app.list.goToPreviousPage() == .successful)
        #expect(try await app.ids() == Array(expected))
        await app.database.close()
      }
      let app = try ListedFile.App(file, keptPages: 2)
      #expect(await app.list.goToPreviousPage() == .skipped(.noMorePages))
      #expect(try await app.list.refresh(force: true) == .successful)
      await app.database.close()
    }
  }

  @Test func `When a model moves to another page, both pages are as long as they say`()
    async throws
  {
    let file = try await ListedFile(pages: 3, of: 10)
    let app = try ListedFile.App(file, keptPages: 4)
    // Three of the first pages turn up on the fourth and the fifth.
    file.service.items =
      [11, 12, 13, 14, 15, 16, 1, 4, 5, 17].map { Listed($0, "t\($0)") }
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [2, 3, 5, 6, 1, 4])
    for start in 0..<6 {
      let (ids, count) = await app.window(start..<start + 2)
      #expect(ids == Array([2, 3, 5, 6, 1, 4][start..<min(6, start + 2)]))
      #expect(count == 6)
    }
    let counts = try await app.database.read { db in
      try db.rows("SELECT count FROM evocation_pages ORDER BY page").map { $0["count"] }
    }
    #expect(counts == [.integer(1), .integer(1), .integer(2), .integer(2)])
    // The first page is dropped with the one model that it still has.
    #expect(await app.list.goToNextPage() == .successful)
    #expect(await app.window(0..<9) == ([3, 6, 1, 4, 5, 17], 6))
  }
}
