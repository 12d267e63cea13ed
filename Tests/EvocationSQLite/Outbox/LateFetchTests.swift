import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Fetches from a replica that lags behind what local has seen.
@Suite(.patient) struct LateFetchTests {
  /// A service that answers with what it is given, and with the versions of that.
  private final class Replica: ChangesRepository {
    typealias Model = Memo

    let held = Lock<[(memo: Memo, version: String)]>([])
    let listsChanges: Bool

    init(listsChanges: Bool) { self.listsChanges = listsChanges }

    private func answer(_ criteria: Criteria) -> Response<[Memo]> {
      let all = held.withLock { Array($0.dropFirst(criteria.offset)) }
      let part = all.prefix(criteria.limit ?? all.count)
      return Response(part.map(\.memo), versions: part.map(\.version))
    }

    func find(_ criteria: Criteria) async throws -> Response<[Memo]> { answer(criteria) }

    func findOne(_ criteria: Criteria) async throws -> Response<Memo?> {
      answer(criteria.limit(1)).first
    }

    func changes(
      _ criteria: Criteria, since mark: String?
    ) async throws -> Response<Changes<Memo>?> {
      let all = answer(criteria)
      return Response(
        Changes(all.value, mark: "mark", isWhole: mark == nil), versions: all.versions)
    }

    func store(_ models: [Memo]) async throws -> Response<[Memo]> { throw Refused(.permanent) }
    func update(_ models: [Memo]) async throws -> Response<[Memo]> { throw Refused(.permanent) }
    func storeOrUpdate(_ models: [Memo]) async throws -> Response<[Memo]> {
      throw Refused(.permanent)
    }
    func remove(_ models: [Memo]) async throws -> Response<[Memo]> { throw Refused(.permanent) }
  }

  enum Local: CaseIterable, Sendable { case memory, file }

  enum Versions: CaseIterable, Sendable {
    case numbers, dates, tags

    /// The text of a version.
    func text(_ number: Int) -> String {
      switch self {
      case .numbers: "\(number + 8)"
      case .dates: "2026-12-0\(number)T10:00:00Z"
      case .tags: "\"\(number)\""
      }
    }

    var haveOrder: Bool { self != .tags }
  }

  enum Fetch: CaseIterable, Sendable {
    case one, upsert, mirror, limitedMirror, whenStale, changes, prefetch
    case cache, limitedCache, page, laterPage, allPages
  }

  private let clock = ManualClock()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(
    _ local: Local, _ strategy: Strategy, listsChanges: Bool = false
  ) throws -> (Evocation, Replica, SQLiteDatabase?) {
    let (evocation, replica) = (
      Evocation.flushedByHand(clock: clock), Replica(listsChanges: listsChanges)
    )
    let proxy = evocation.register(for: Memo.self).repository(remote: replica).strategy(strategy)
    switch local {
    case .memory:
      proxy.repository(local: InMemoryRepository<Memo>())
      return (evocation, replica, nil)
    case .file:
      let database = try SQLiteDatabase(path: folder.path())
      proxy.repository(local: try SQLiteRepository<Memo>(database))
      return (evocation, replica, database)
    }
  }

  /// Fetches, and returns the memos that whoever looks at a cache or a list is shown; nil of a call.
  private func fetch(_ fetch: Fetch, _ evocation: Evocation) async throws -> [Memo]? {
    clock.advance(by: .seconds(1))
    switch fetch {
    case .one: await find(["id": 1], synchronize: .upsert, evocation)
    case .upsert: await find(nil, synchronize: .upsert, evocation)
    case .mirror: await find(nil, synchronize: .mirror, evocation)
    case .limitedMirror: await find(Criteria().limit(4), synchronize: .mirror, evocation)
    case .whenStale:
      #expect(
        await evocation.find(model: Memo.self, rule: .cacheFirst(maxAge: .zero)).error == nil)
    case .changes:
      let rule = Strategy.Rule(
        target: .remote, fallback: .local, synchronize: .mirror, maxAge: .zero)
      #expect(await evocation.find(model: Memo.self, rule: rule).error == nil)
    case .prefetch: #expect(await evocation.prefetch(Memo.self).error == nil)
    case .cache, .limitedCache:
      let cache = evocation.cache(Memo.self)
      cache.requirements = fetch == .cache ? Criteria() : Criteria().sorted(by: "id").limit(4)
      #expect(try await cache.refresh(force: true) == .successful)
      return try await cache.value(from: .cache)
    case .page, .laterPage, .allPages:
      let list = evocation.pagingCache(
        Memo.self, pageSize: fetch == .page ? 4 : 1,
        options: .init(refreshes: fetch == .allPages ? .allPages : .firstPage))
      list.requirements = Criteria()
      #expect(try await list.refresh(force: true) == .successful)
      if fetch != .page { await list.goToNextPage() }
      return try await list.value(from: .cache)
    }
    return nil
  }

  private func find(
    _ criteria: Criteria?, synchronize: Strategy.Synchronization, _ evocation: Evocation
  ) async {
    let rule = Strategy.Rule(target: .remote, synchronize: synchronize)
    let result = await evocation.find(model: Memo.self, criteria: criteria, rule: rule)
    #expect(result.error == nil)
  }

  private func held(_ evocation: Evocation) async -> [String]? {
    let found = await evocation.find(
      model: Memo.self, criteria: Criteria().sorted(by: "id"), rule: .localOnly)
    return found.data?.map(\.title)
  }

  private static let stories: [(Local, Versions, Strategy)] = Local.allCases.flatMap { local in
    Versions.allCases.flatMap { versions in
      [Strategy.remoteFirst, .offlineFirst].map { (local, versions, $0) }
    }
  }

  @Test(arguments: Fetch.allCases, stories)
  func `no fetch puts a model behind the version that local has seen`(
    _ kind: Fetch, _ story: (local: Local, versions: Versions, strategy: Strategy)
  ) async throws {
    let (evocation, replica, database) = try start(
      story.local, story.strategy, listsChanges: kind == .changes)
    func answer(_ memos: [(title: String, version: Int)]) {
      replica.held.withLock {
        $0 = memos.enumerated().map { index, memo in
          (Memo(id: index + 1, title: memo.title), story.versions.text(memo.version))
        }
      }
    }
    let second = kind == .one ? [] : ["b2"]
    answer([("a2", 2), ("b1", 1)].filter { kind != .one || $0.0 == "a2" })
    _ = try await fetch(kind, evocation)
    answer([("a1", 1), ("b2", 2)].filter { kind != .one || $0.0 == "a1" })
    let shown = try await fetch(kind, evocation)
    let first = story.versions.haveOrder ? "a2" : "a1"
    #expect(await held(evocation) == [first] + second)
    if let shown { #expect(shown.map(\.title) == [first] + second) }
    answer([("a3", 3), ("b2", 2)].filter { kind != .one || $0.0 == "a3" })
    _ = try await fetch(kind, evocation)
    #expect(await held(evocation) == ["a3"] + second)
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `the result of a call is what the server answered, also where it is late`(
    _ local: Local
  ) async throws {
    let (evocation, replica, database) = try start(local, .remoteFirst)
    replica.held.withLock { $0 = [(Memo(title: "new"), "2")] }
    _ = await evocation.find(model: Memo.self)
    replica.held.withLock { $0 = [(Memo(title: "old"), "1")] }
    let result = await evocation.find(model: Memo.self)
    #expect(result.data == [Memo(title: "old")] && result.origin == .remote)
    #expect(await held(evocation) == ["new"])
    await database?.close()
  }

  @Test(arguments: Local.allCases, Fetch.allCases)
  func `an edit that is discarded gives back the newest that was seen of its model`(
    _ local: Local, _ kind: Fetch
  ) async throws {
    let (evocation, replica, database) = try start(
      local, .offlineFirst, listsChanges: kind == .changes)
    replica.held.withLock { $0 = [(Memo(title: "new"), "2")] }
    _ = try await fetch(kind, evocation)
    _ = await evocation.updateOne(Memo(title: "mine"))
    replica.held.withLock { $0 = [(Memo(title: "old"), "1")] }
    let shown = try await fetch(kind, evocation)
    if let shown { #expect(shown.map(\.title) == ["mine"]) }
    #expect(await held(evocation) == ["mine"])
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.discard(entry)
    #expect(await held(evocation) == ["new"])
    await database?.close()
  }
}
