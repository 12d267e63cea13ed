import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation

/// The app's data: airports from a service, kept in a file, as a paged list and its states.
struct Library: Sendable {
  typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Airport>>

  let list: List
  private let evocation = Evocation()

  /// Opens the file and registers what is kept in it; this is all that a paged, cached list takes.
  init(service: URL, file: String) throws {
    let database = try SQLiteDatabase(path: file)
    evocation
      .register(for: Airport.self)
      .repository(remote: HTTPRepository<Airport>(baseURL: service, path: "airports"))
      .repository(local: try SQLiteRepository<Airport>(database))
    evocation
      .register(for: Bookmark.self)
      .repository(local: try SQLiteRepository<Bookmark>(database))
      .strategy(.localOnly)
    list = evocation.pagingCache(for: Airport.self, pageSize: 20, maxAge: .seconds(3600))
  }

  /// Shows the airports whose name has a text, or all.
  func search(_ text: String) {
    let named = text.isEmpty ? Criteria() : Criteria.Key("name").contains(text)
    list.requirements = named.sorted(by: "name")
  }

  /// Where the reader left off.
  func bookmark() async -> Bookmark {
    await evocation.findOne(model: Bookmark.self).data ?? Bookmark()
  }

  /// Remembers where the reader is.
  func keep(_ bookmark: Bookmark) async {
    _ = await evocation.storeOrUpdate([bookmark])
  }
}
