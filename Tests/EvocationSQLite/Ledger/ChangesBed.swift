import Evocation
import EvocationSQLite
import EvocationTesting

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// Apps on one file, or on stores in memory, whose service lists what changed since a mark.
struct ChangesBed {
  typealias Cache = CacheRepository<ProxyCacheDataSource<LoggedPart>>

  let folder: TemporaryFolder
  let service = ChangingService([
    LoggedPart(id: 1), LoggedPart(id: 2), LoggedPart(id: 3, kind: 2),
  ])
  let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()

  init() throws { folder = try TemporaryFolder() }

  /// An app on a file, or on a store in memory with a ledger that outlives it.
  struct App {
    let evocation: Evocation
    let local: any Repository<LoggedPart>
    let database: SQLiteDatabase?

    func cache(
      _ criteria: Criteria = Criteria(), removesMissing: Bool = true,
      limits: CacheLimits = .none
    ) -> Cache {
      let cache = evocation.cache(
        LoggedPart.self,
        options: .init(
          limits: limits, removesMissing: removesMissing, automaticallyRefresh: false))
      cache.requirements = criteria
      return cache
    }

    func parts() async throws -> [LoggedPart] {
      try await local.find(Criteria().sorted(by: "id")).value
    }

    func mark(_ cache: Cache) async throws -> String? {
      let source = cache.source
      let tag = source.tag(for: cache.requirements ?? Criteria())
      return try await source.ledger?.record(for: tag)?.mark
    }
  }

  /// Finds that mirror; writes go to the remote first.
  static func mirroring(
    fallback: Evocation.RepositoryType? = nil
  ) throws -> Strategy {
    try Strategy(reads: .init(fallback: fallback, synchronize: .mirror), writes: .init())
  }

  func app(
    _ place: CacheStore.Place, _ strategy: Strategy = .remoteFirst
  ) throws -> App {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0 }, ledger: ledger,
        outbox: .init(sendsAutomatically: false)))
    let proxy = evocation.register(for: LoggedPart.self).repository(remote: service).strategy(
      strategy)
    guard place == .file else {
      let local = InMemoryRepository<LoggedPart>()
      proxy.repository(local: local)
      return App(evocation: evocation, local: local, database: nil)
    }
    let database = try SQLiteDatabase(path: folder.path())
    let local = try SQLiteRepository<LoggedPart>(database)
    proxy.repository(local: local)
    return App(evocation: evocation, local: local, database: database)
  }
}
