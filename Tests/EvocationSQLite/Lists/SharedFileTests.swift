import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Two apps, or an app and its extension, that have one file open.
@Suite(.patient) struct SharedFileTests {
  private typealias App = ListedFile.App

  @Test(arguments: ShiftingService.Kind.allCases)
  func `A list goes on where the other app has left it`(_ kind: ShiftingService.Kind) async throws {
    let file = try await ListedFile(pages: 1, of: 9, kind)
    let (app, other) = (try App(file), try App(file))
    #expect(try await app.ids() == [1, 2])
    for _ in 1...2 { #expect(await other.list.goToNextPage() == .successful) }
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == Array(1...8))
    #expect(try await other.ids() == Array(1...8))
    #expect(await other.list.goToNextPage() == .successful)
    // The page that this app lacks is there.
    #expect(await app.list.goToNextPage() == .successful)
    #expect(await app.list.goToNextPage() == .skipped(.noMorePages))
    #expect(try await app.ids() == Array(1...9))
  }

  @Test func `A page that the other app has loaded meanwhile is not listed twice`() async throws {
    let file = try await ListedFile(pages: 1, of: 6)
    let (app, other) = (try App(file), try App(file))
    let gate = Gate()
    file.service.gate = gate
    async let page = app.list.goToNextPage()
    _ = await gate.arrivals(1)
    file.service.gate = nil
    #expect(await other.list.goToNextPage() == .successful)
    gate.open()
    #expect(await page == .successful)
    #expect(try await app.ids() == Array(1...6))
  }

  @Test func `A page of a list that the other app has cleared does not become the list`()
    async throws
  {
    let file = try await ListedFile(pages: 2, of: 9)
    let (app, other) = (try App(file), try App(file))
    #expect(try await app.ids() == [1, 2, 3, 4])
    let gate = Gate()
    file.service.gate = gate
    async let page = app.list.goToNextPage()
    _ = await gate.arrivals(1)
    file.service.gate = nil
    try await other.list.clear()
    gate.open()
    #expect(await page == .skipped(.cancelled))
    #expect(await app.list.goToNextPage() == .failed(CacheError.pageWithoutCache))
    #expect(try await app.ids() == nil)
    #expect(try await other.ids() == nil)
  }

  @Test func `A cache that the other app fetched, and cleared, is seen like one's own`()
    async throws
  {
    let file = try await ListedFile(pages: 1, of: 4)
    let (app, other) = (try Caches(file), try Caches(file))
    var states = app.cache.observe().makeAsyncIterator()
    #expect(await states.next()?.cache == nil)
    #expect(try await other.cache.refresh() == .successful)
    while let state = await states.next() {
      guard case .cache(let models?, _) = state.state else { continue }
      #expect(models.map(\.id) == [1, 2, 3, 4])
      break
    }
    try await other.cache.clear()
    while let state = await states.next() {
      if case .noCache = state.state { break }
    }
    await #expect(throws: CacheError.self) { try await app.cache.value(from: .cache) }
  }

  /// An app with a cache of all models.
  private struct Caches {
    let cache: CacheRepository<ProxyCacheDataSource<Listed>>

    init(_ file: ListedFile) throws {
      let evocation = Evocation()
      evocation.register(for: Listed.self).repository(remote: file.service)
        .repository(local: try SQLiteRepository(SQLiteDatabase(path: file.folder.path())))
      cache = evocation.cache(Listed.self, options: .init(automaticallyRefresh: false))
      cache.requirements = Criteria()
    }
  }
}
