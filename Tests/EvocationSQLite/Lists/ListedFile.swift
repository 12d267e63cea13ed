import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport

@testable import SQLiteSupport

/// A file with a list in it, and an app that opens it again and again.
struct ListedFile {
  typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  let folder: TemporaryFolder
  let service: ShiftingService

  /// Makes a file with a list of pages of two; with a title for each, and no two alike.
  init(pages: Int, of count: Int, _ kind: ShiftingService.Kind = .offset) async throws {
    folder = try TemporaryFolder()
    service = ShiftingService((1...count).map { Listed($0, "t\($0)") }, kind)
    let app = try App(self)
    try await app.list.refresh()
    for _ in 1..<pages { _ = await app.list.goToNextPage() }
    await app.database.close()
  }

  /// The app as it is after a start.
  struct App {
    let database: SQLiteDatabase
    let local: SQLiteRepository<Listed>
    let list: List
    private let told = Lock<[Evocation.Trace]>([])

    init(
      _ file: ListedFile, path: String? = nil, indexes: [SQLiteIndex] = [],
      refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil,
      migrations: [SQLiteMigration] = []
    ) throws {
      database = try SQLiteDatabase(path: path ?? file.folder.path())
      try database.migrate(migrations)
      local = try SQLiteRepository(database, indexes: indexes)
      let told = told
      let evocation = Evocation(
        configuration: .init(onTrace: { trace in told.withLock { $0.append(trace) } }))
      evocation.register(for: Listed.self).repository(remote: file.service)
        .repository(local: local)
      list = evocation.pagingCache(
        Listed.self, pageSize: 2,
        options: .init(
          paging: file.service.paging, refreshes: refreshes, maxPages: keptPages,
          automaticallyRefresh: false))
      list.requirements = Criteria()
    }

    /// What was told of lists that were forgotten.
    var traces: [String] {
      told.withLock { $0 }.filter { $0.call == "list" }.map { "\($0)" }
    }

    /// The ids of what is listed; nil when there is no list.
    func ids() async throws -> [Int]? {
      do {
        return try await list.value(from: .cache).map(\.id)
      } catch CacheError.noCache {
        return nil
      }
    }

    /// What a window shows, and how long it says that the list is.
    func window(_ range: Range<Int>) async -> (ids: [Int], count: Int?) {
      list.window = range
      defer { list.window = nil }
      let cache = await list.observe().first { _ in true }?.cache
      return (cache?.cache.map(\.id) ?? [], cache?.count)
    }

    func write(_ statements: String...) async throws {
      try await database.write { db in
        for statement in statements { try db.execute(statement) }
      }
    }
  }
}
