import Evocation
import EvocationHTTP
import EvocationLive
import EvocationSQLite
import Fixtures
import Foundation

/// The app's data: airports from a service, saved in a file, as a paged list and its states.
struct Library: Sendable {
  typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Airport>>

  let list: List
  private let evocation: Evocation

  /// Opens the file and registers its models; a paged, cached list needs nothing else.
  init(_ source: Source, file: String) throws {
    let database = try SQLiteDatabase(path: file)
    let (service, format) = (source.service, source.format)
    let retry = Strategy.Retry(
      attempts: .max, delay: .milliseconds(500), maximumDelay: .seconds(2))
    var outbox = Outbox.Configuration(retry: retry, lease: .seconds(2))
    // Evocation then follows the service again as soon as the connection is back.
    if source.isLive { outbox.connectivity = source.connection }
    evocation = Evocation(configuration: .init(outbox: outbox))
    if source.isLive { evocation.live.start() }
    try evocation.register(
      Airport.self, remote: HTTPRepository(service, source.path("airports"), format: format),
      local: SQLiteRepository(database), strategy: .remoteFirst)
    try evocation.register(Bookmark.self, local: SQLiteRepository(database))
    try evocation.register(
      Star.self, remote: HTTPRepository(service, source.path("stars"), format: format),
      local: SQLiteRepository(database), strategy: .offlineFirst)
    // What a lost connection has missed is fetched for a whole list alone.
    list = evocation.pagingCache(
      Airport.self, pageSize: 20, maxAge: .hours(1),
      options: .init(refreshes: source.isLive ? .allPages : .firstPage))
  }

  /// A change of what a screen shows.
  enum Change: Sendable {
    case state(Screen.State)
    case stars(Stars.Change)
  }

  /// Returns the list's present state and the stars' values, and then each change.
  func changes() -> AsyncStream<Change> {
    AsyncStream { feed in
      let observation = list.observe { feed.yield(.state($0)) }
      let stars = Task { for await change in self.stars() { feed.yield(.stars(change)) } }
      feed.onTermination = { _ in
        observation.cancel()
        stars.cancel()
      }
    }
  }

  /// Shows the airports whose name contains a text, or all.
  func search(_ text: String) {
    let named: Criteria.Of<Airport> = text.isEmpty ? [:] : .contains(\.name, text)
    list.requirements = named.sorted(by: \.name).criteria
  }

  /// Returns the user's last place.
  func bookmark() async -> Bookmark {
    (try? await evocation.findOne(Bookmark.self)) ?? Bookmark()
  }

  /// Saves the user's place.
  func keep(_ bookmark: Bookmark) async {
    _ = await evocation.storeOrUpdate([bookmark])
  }
}

// Stars, which the user can give without the service.
extension Library {
  /// Gives an airport a star, or removes its star.
  func toggleStar(of airport: Airport, isGiven: Bool) async {
    let star = Star(id: airport.id, name: airport.name)
    if isGiven {
      _ = await evocation.removeOne(star)
    } else {
      _ = await evocation.storeOne(star)
    }
  }

  /// Sends the waiting stars, because the service may be available again.
  func sendStars() async { await evocation.outbox.flush(deadline: .seconds(10)) }

  /// Returns the stars' current values, and then each change.
  func stars() -> AsyncStream<Stars.Change> {
    AsyncStream { feed in
      let task = Task { [evocation] in
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            for await result in evocation.observe(model: Star.self) {
              feed.yield(.given(Set(result.data?.map(\.id) ?? [])))
            }
          }
          group.addTask {
            for await states in evocation.outbox.syncStates(of: Star.self) {
              feed.yield(.unsent(states))
            }
          }
          group.addTask {
            for await status in evocation.outbox.observe() { feed.yield(.status(status)) }
          }
        }
      }
      feed.onTermination = { _ in task.cancel() }
    }
  }
}
