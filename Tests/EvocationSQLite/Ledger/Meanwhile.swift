import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport

@testable import SQLiteSupport

/// A model of which it is seen who wrote it.
struct Thing: Codable, Identifiable, Hashable, Sendable, CustomStringConvertible {
  let id: Int
  var version = 1
  var kind = 0

  var description: String { "\(id)v\(version)" }
}

/// A service that answers as it was when it was asked, as late as a test wants.
final class SlowService: Repository {
  let things = InMemoryRepository<Thing>()
  private let gates = Lock<(find: Gate?, write: Gate?)>((nil, nil))
  private let asked = Lock(0)
  /// Whether it refuses what was written elsewhere first.
  let refusesCopies = Lock(false)

  struct Refusal: ClassifiedError {
    let failureKind = FailureKind.permanent
  }

  /// How often it was asked for things.
  var findCount: Int { asked.withLock { $0 } }

  var findGate: Gate? {
    get { gates.withLock { $0.find } }
    set { gates.withLock { $0.find = newValue } }
  }

  var writeGate: Gate? {
    get { gates.withLock { $0.write } }
    set { gates.withLock { $0.write = newValue } }
  }

  /// Puts these in place of what it has, without anybody being told.
  func have(_ models: [Thing]) async throws {
    _ = try await things.mirror(models, for: Criteria())
  }

  func find(_ criteria: Criteria) async throws -> Response<[Thing]> {
    asked.withLock { $0 += 1 }
    let answer = try await things.find(criteria)
    try await findGate?.pass()
    return answer
  }

  func store(_ models: [Thing]) async throws -> Response<[Thing]> {
    try await writeGate?.pass()
    return try await things.store(models)
  }

  func update(_ models: [Thing]) async throws -> Response<[Thing]> {
    try await writeGate?.pass()
    return try await things.update(models)
  }

  func storeOrUpdate(_ models: [Thing]) async throws -> Response<[Thing]> {
    try await writeGate?.pass()
    if refusesCopies.withLock({ $0 }) { throw Refusal() }
    return try await things.storeOrUpdate(models)
  }

  func remove(_ models: [Thing]) async throws -> Response<[Thing]> {
    try await writeGate?.pass()
    return try await things.remove(models)
  }
}

/// A local repository that has none of what a repository may have beside the five methods.
struct PlainLocal: ForwardingRepository {
  let base = InMemoryRepository<Thing>()
}

/// A local repository that keeps a ledger, and has nothing else beside the five methods.
struct LedgeredLocal: ForwardingRepository, TransactionalRepository {
  let base: SQLiteRepository<Thing>

  var fetchLedger: (any FetchLedger)? { base.fetchLedger }

  func commit(_ write: StoreWrite<Thing>) async throws -> StoreCommit<Thing> {
    try await base.commit(write)
  }
}

/// A service, a local repository of some kind, and what is between them.
final class Meanwhile: Sendable {
  enum Local: String, CaseIterable, Sendable {
    case memory, plain, sqlite, ledgered
  }

  let evocation: Evocation
  let service = SlowService()
  let local: any Repository<Thing>
  let traces = Lock<[Evocation.Trace]>([])
  private let folder: TemporaryFolder

  init(
    _ kind: Local, find: Strategy.Rule = .init(target: .remote, synchronize: .mirror),
    write: Strategy.Rule = .init(target: .local)
  ) throws {
    folder = try TemporaryFolder()
    switch kind {
    case .memory: local = InMemoryRepository<Thing>()
    case .plain: local = PlainLocal()
    case .sqlite:
      local = try SQLiteRepository<Thing>(try SQLiteDatabase(path: folder.path()))
    case .ledgered:
      local = LedgeredLocal(base: try SQLiteRepository(try SQLiteDatabase(path: folder.path())))
    }
    let traces = traces
    evocation = Evocation(
      configuration: .init(onTrace: { trace in traces.withLock { $0.append(trace) } }))
    evocation.register(for: Thing.self).repository(remote: service).repository(local: local)
      .strategy(try Self.strategy(find: find, write: write))
  }

  static func strategy(find: Strategy.Rule, write: Strategy.Rule) throws -> Strategy {
    try Strategy(rules: [
      .find: find, .findOne: find, .store: write, .storeOne: write, .update: write,
      .updateOne: write, .remove: write, .removeOne: write,
    ])
  }

  /// Has the strategy say how is written; what is found is mirrored.
  func write(by strategy: Strategy) throws {
    var rules = Dictionary(
      uniqueKeysWithValues: Strategy.Action.allCases.map { ($0, strategy[$0]) })
    for action in Strategy.Action.allCases where action.isRead {
      rules[action] = .init(target: .remote, synchronize: .mirror)
    }
    try evocation.proxy(for: Thing.self).strategy(try Strategy(rules: rules))
  }

  /// What local has, in the order of ids.
  func held(_ criteria: Criteria = Criteria()) async throws -> [Thing] {
    try await local.find(criteria).value
  }

  /// Waits until everything is done that has a place in the line.
  func settle() async {
    _ = await evocation.removeOne(Thing(id: .max))
  }

  func cache(
    removesMissing: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Thing>> {
    let cache = evocation.cache(
      Thing.self, options: .init(removesMissing: removesMissing, automaticallyRefresh: false))
    cache.requirements = Criteria()
    return cache
  }

  func list(
    pageSize: Int, refreshes: ListOptions.Refresh = .firstPage
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Thing>> {
    let list = evocation.pagingCache(
      Thing.self, pageSize: pageSize,
      options: .init(refreshes: refreshes, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }
}

/// What the app writes while something is fetched.
enum AppWrite: String, CaseIterable, Sendable {
  case store, update, remove, storeOrUpdate

  func carryOut(_ evocation: Evocation) async -> (any Error)? {
    switch self {
    case .store: await evocation.storeOne(Thing(id: 4, version: 9)).error
    case .update: await evocation.updateOne(Thing(id: 2, version: 9)).error
    case .remove: await evocation.removeOne(Thing(id: 3)).error
    case .storeOrUpdate:
      await evocation.storeOrUpdate([Thing(id: 1, version: 9), Thing(id: 5, version: 9)]).error
    }
  }

  /// What is there when the write came after 1, 2 and 3 were fetched.
  var result: [Thing] {
    switch self {
    case .store: [Thing(id: 1), Thing(id: 2), Thing(id: 3), Thing(id: 4, version: 9)]
    case .update: [Thing(id: 1), Thing(id: 2, version: 9), Thing(id: 3)]
    case .remove: [Thing(id: 1), Thing(id: 2)]
    case .storeOrUpdate:
      [Thing(id: 1, version: 9), Thing(id: 2), Thing(id: 3), Thing(id: 5, version: 9)]
    }
  }

  /// The same as a list of 1, 2 and 3 has it.
  var listed: [Thing] { result.filter { $0.id <= 3 } }
}

/// When it does so.
enum WriteMoment: String, CaseIterable, Sendable {
  case onItsWayBefore, during, after
}
