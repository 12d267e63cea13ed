import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Pages of lists in a file: refused, dropped, and with models that move.
@Suite(.patient) struct SQLiteListPagesTests {
  @Test func `What a unique constraint refuses is shown, and the next refresh asks again`()
    async throws
  {
    let file = try await ListedFile(pages: 3, of: 6)
    let app = try ListedFile.App(file, indexes: [.unique("title")], refreshes: .allPages)
    _ = try await app.local.store([Listed(90, "t15")])
    file.service.items = (11...16).map { Listed($0, "t\($0)") }
    for _ in 0..<2 {
      let count = file.service.asked.count
      guard case .failed(let error) = try await app.list.refresh(force: true) else {
        Issue.record("The refresh did not fail.")
        return
      }
      #expect((error as? SQLiteError)?.code == .constraint)
      #expect(file.service.asked.count - count == 3)
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
