import Evocation
import EvocationSQLite

/// A list of items in a file, page by page.
struct PagedItems {
  typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Item>>

  static let pageSize = 50

  let scratch: Scratch
  let local: SQLiteRepository<Item>
  let list: List

  /// Opens a file, and fetches a number of pages of the list.
  init(_ scratch: Scratch, pages: Int = 0) async throws {
    self.scratch = scratch
    local = try SQLiteRepository(SQLiteDatabase(path: scratch.path()))
    let evocation = Evocation()
    evocation.register(for: Item.self).repository(remote: NumberedItems())
      .repository(local: local)
    list = evocation.pagingCache(
      Item.self, pageSize: Self.pageSize,
      options: .init(refreshes: .allPages, automaticallyRefresh: false))
    list.requirements = Criteria()
    guard pages > 0 else { return }
    _ = try await list.refresh(force: true)
    try await append(pages - 1)
  }

  /// Fetches a number of further pages.
  func append(_ pages: Int) async throws {
    for _ in 0..<pages { try await expect(list.goToNextPage() == .successful) }
  }
}
