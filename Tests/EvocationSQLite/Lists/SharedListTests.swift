import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Two apps on one file that fetch all pages of a list at once.
@Suite(.patient) struct SharedListTests {
  private let folder: TemporaryFolder
  private let ids = Lock(Array(1...4))
  private let gate = Lock<Gate?>(nil)

  init() throws {
    folder = try TemporaryFolder()
  }

  /// An app, whose service decides on its answers when it is asked, and gives them at the gate.
  private func list() throws -> PagingCacheRepository<ProxyPagingCacheDataSource<Listed>> {
    let evocation = Evocation()
    evocation.register(for: Listed.self)
      .repository(
        remote: RepositoryMock { [ids, gate] call in
          guard case .find(let criteria) = call else { return [] }
          let page = ids.withLock { $0.dropFirst(criteria.offset).prefix(criteria.limit ?? 4) }
          try await gate.withLock { $0 }?.pass()
          return page.map { Listed($0) }
        }
      )
      .repository(local: try SQLiteRepository<Listed>(SQLiteDatabase(path: folder.path())))
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }

  /// Has a refresh fetch its first page, and stop before its second one.
  private func stop(_ gate: Gate) async {
    #expect(await gate.arrivals(1))
    gate.letOneThrough()
    #expect(await gate.arrivals(2))
  }

  /// The ids of what is shown, fresh or not.
  private func shown(
    _ list: PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>
  ) async -> [Int]? {
    await list.observe().first { $0.cache != nil }?.cache?.cache.map(\.id)
  }

  @Test func `Each makes a list of its own pages, and the later one stays`() async throws {
    let (app, other) = (try list(), try list())
    #expect(try await app.refresh() == .successful)
    #expect(await app.goToNextPage() == .successful)
    let (appGate, otherGate) = (Gate(), Gate())
    gate.withLock { $0 = appGate }
    async let refreshed = app.refresh(force: true)
    await stop(appGate)
    ids.withLock { $0 = Array(11...14) }
    gate.withLock { $0 = otherGate }
    try await other.invalidate()
    async let otherRefreshed = other.refresh(force: true)
    await stop(otherGate)
    #expect(await shown(app) == Array(1...4))
    // The app's second page, of the old list, comes when the other has collected its first.
    appGate.open()
    #expect(try await refreshed == .successful)
    #expect(await shown(app) == Array(1...4))
    #expect(await shown(other) == Array(1...4))
    otherGate.open()
    #expect(try await otherRefreshed == .successful)
    #expect(await shown(app) == Array(11...14))
    #expect(await shown(other) == Array(11...14))
  }
}
