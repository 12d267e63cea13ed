import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Writes that go straight to a service whose versions stand beside its models.
@Suite(.patient) struct DirectWriteVersionTests {
  /// A service that counts each memo's versions, and refuses a write that was made on another.
  private final class VersionedService: Repository {
    let memos = InMemoryRepository((1...3).map { Memo(id: $0) })
    /// By id; a memo without one is at 1.
    let versions = Lock<[Int: Int]>([:])
    /// What each write said that it was made on; nil where it said nothing.
    let conditions = Lock<[WriteBase.Condition?]>([])
    /// Whether lists say versions, as only what is read alone does at some services.
    let listsSayVersions = Lock(true)
    /// Whether only what lists begin with is answered.
    let isCut = Lock(false)
    /// Whether a refusal says what the service has.
    let refusalsSayMemos = Lock(true)
    /// What each `find` waits for once it was answered.
    let reads = Lock<Gate?>(nil)

    /// Changes a memo, as another client does.
    func change(_ memo: Memo) async throws {
      _ = try await memos.update([memo])
      raise(memo.id)
    }

    private func raise(_ id: Int) { versions.withLock { $0[id, default: 1] += 1 } }

    private func version(of memo: Memo) -> String {
      "v\(versions.withLock { $0[memo.id] ?? 1 })"
    }

    private func answer(_ memos: [Memo]) -> Response<[Memo]> {
      Response(memos, versions: memos.map(version))
    }

    private func take(
      _ written: [Memo], _ write: (InMemoryRepository<Memo>) async throws -> Response<[Memo]>
    ) async throws -> Response<[Memo]> {
      let condition = WriteBase.current?.condition
      conditions.withLock { $0.append(condition) }
      if case .version(let expected?) = condition, let memo = written.first,
        expected != version(of: memo)
      {
        let says = refusalsSayMemos.withLock { $0 }
        let current = says ? try await memos.findOne(["id": memo.id]).value : nil
        throw Refused(.conflict, current: current)
      }
      let answered = try await write(memos).value
      for memo in answered { raise(memo.id) }
      return answer(answered)
    }

    func find(_ criteria: Criteria) async throws -> Response<[Memo]> {
      if criteria.offset > 0, isCut.withLock({ $0 }) { throw Refused(.transient) }
      let found = try await memos.find(criteria).value
      let response = listsSayVersions.withLock { $0 } ? answer(found) : Response(found)
      try await reads.withLock { $0 }?.pass()
      return response
    }

    func findOne(_ criteria: Criteria) async throws -> Response<Memo?> {
      answer(try await memos.find(criteria.limit(1)).value).first
    }

    func store(_ models: [Memo]) async throws -> Response<[Memo]> {
      try await take(models) { try await $0.store(models) }
    }

    func update(_ models: [Memo]) async throws -> Response<[Memo]> {
      try await take(models) { try await $0.update(models) }
    }

    func storeOrUpdate(_ models: [Memo]) async throws -> Response<[Memo]> {
      try await take(models) { try await $0.storeOrUpdate(models) }
    }

    func remove(_ models: [Memo]) async throws -> Response<[Memo]> {
      try await take(models) { try await $0.remove(models) }
    }
  }

  enum Local: CaseIterable, Sendable { case memory, file }

  /// How the memos came to local.
  enum Reading: CaseIterable, Sendable { case one, list, whenStale, prefetch, cache, page }

  private let service = VersionedService()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(
    _ local: Local, _ strategy: Strategy = .remoteFirst
  ) throws -> (Evocation, SQLiteDatabase?) {
    let evocation = Evocation.flushedByHand()
    let proxy = evocation.register(for: Memo.self).repository(remote: service)
    switch local {
    case .memory:
      proxy.repository(local: InMemoryRepository<Memo>()).strategy(strategy)
      return (evocation, nil)
    case .file:
      let database = try SQLiteDatabase(path: folder.path())
      proxy.repository(local: try SQLiteRepository<Memo>(database)).strategy(strategy)
      return (evocation, database)
    }
  }

  private func read(_ reading: Reading, _ evocation: Evocation) async throws {
    switch reading {
    case .one: _ = await evocation.findOne(model: Memo.self, criteria: ["id": 1])
    case .list: _ = await evocation.find(model: Memo.self)
    case .whenStale:
      _ = await evocation.find(model: Memo.self, rule: .cacheFirst(maxAge: .seconds(60)))
    case .prefetch: await evocation.prefetch(Memo.self)
    case .cache:
      let cache = evocation.cache(Memo.self)
      cache.requirements = Criteria()
      #expect(try await cache.refresh() == .successful)
    case .page:
      let list = evocation.pagingCache(Memo.self, pageSize: 5)
      list.requirements = Criteria()
      #expect(try await list.refresh() == .successful)
    }
  }

  @Test(arguments: Local.allCases, Reading.allCases)
  func `a write says the version that its model was read at, however it was read`(
    _ local: Local, _ reading: Reading
  ) async throws {
    let (evocation, database) = try start(local)
    try await read(reading, evocation)
    #expect(await evocation.updateOne(Memo(title: "mine")).error == nil)
    #expect(service.conditions.withLock { $0 } == [.version("v1")])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `what a conflict took from the service keeps its version where a fetch had begun before`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local, .offlineFirst)
    try evocation.proxy(for: Memo.self).conflicts { _ in .theirs }
    let fetch = Strategy.Rule(target: .remote, synchronize: .mirror)
    _ = await evocation.find(model: Memo.self, rule: fetch)
    service.refusalsSayMemos.withLock { $0 = false }
    _ = await evocation.updateOne(Memo(title: "mine"))
    try await service.change(Memo(title: "theirs"))
    let gate = Gate()
    service.reads.withLock { $0 = gate }
    let find = Task { await evocation.find(model: Memo.self, rule: fetch) }
    #expect(await gate.arrivals(1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 0))
    gate.open()
    #expect(await find.value.error == nil)
    _ = await evocation.updateOne(Memo(title: "again"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(service.conditions.withLock { $0 } == [.version("v1"), .version("v2")])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `a write says the version that the answer to the one before it said`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    _ = await evocation.find(model: Memo.self)
    for title in ["a", "b", "c"] {
      #expect(await evocation.updateOne(Memo(title: title)).error == nil)
    }
    #expect(await evocation.removeOne(Memo(title: "c")).error == nil)
    #expect(
      service.conditions.withLock { $0 } == (1...4).map { .version("v\($0)") })
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `a write on what others changed is refused, and made again after a read`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    _ = await evocation.find(model: Memo.self)
    let theirs = Memo(color: "red")
    try await service.change(theirs)
    let refused = await evocation.updateOne(
      Memo(title: "mine"), rule: .init(target: .remote))
    #expect((refused.error as? any ConflictError)?.current as? Memo == theirs)
    #expect(try await service.memos.findOne(["id": 1]).value == theirs)
    _ = await evocation.find(model: Memo.self)
    let merged = Memo(title: "mine", color: "red")
    #expect(await evocation.updateOne(merged).data == merged)
    #expect(
      service.conditions.withLock { $0 } == [.version("v1"), .version("v2")])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `after a read that says no versions a write is made on whatever there is`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    _ = await evocation.find(model: Memo.self)
    try await service.change(Memo(color: "red"))
    service.listsSayVersions.withLock { $0 = false }
    _ = await evocation.find(model: Memo.self)
    #expect(await evocation.updateOne(Memo(title: "mine", color: "red")).error == nil)
    #expect(service.conditions.withLock { $0 } == [nil])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `a refresh that stops half-way leaves a write on what local shows still`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    _ = await evocation.find(model: Memo.self)
    let list = evocation.pagingCache(Memo.self, pageSize: 1, options: .init(refreshes: .allPages))
    list.requirements = Criteria()
    #expect(try await list.refresh() == .successful)
    await list.goToNextPage()
    _ = await evocation.find(model: Memo.self)
    try await service.change(Memo(color: "red"))
    service.isCut.withLock { $0 = true }
    _ = try? await list.refresh(force: true)
    let shown = await evocation.findOne(model: Memo.self, criteria: ["id": 1], rule: .localOnly)
    #expect(shown.data == Memo())
    let refused = await evocation.updateOne(Memo(title: "mine"), rule: .init(target: .remote))
    #expect(refused.error is any ConflictError)
    #expect(service.conditions.withLock { $0 } == [.version("v1")])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `a refresh of all pages brings the versions of its models, and drops those not said`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    let list = try await twoPages(of: evocation)
    try await service.change(Memo(color: "red"))
    #expect(try await list.refresh(force: true) == .successful)
    let merged = Memo(title: "mine", color: "red")
    #expect(await evocation.updateOne(merged, rule: .init(target: .remote)).data == merged)
    service.listsSayVersions.withLock { $0 = false }
    try await service.change(Memo(color: "blue"))
    #expect(try await list.refresh(force: true) == .successful)
    #expect(await evocation.updateOne(merged, rule: .init(target: .remote)).data == merged)
    #expect(service.conditions.withLock { $0 } == [.version("v2"), nil])
    await database?.close()
  }

  @Test(arguments: Local.allCases)
  func `the first versions may come with a refresh of all pages`(_ local: Local) async throws {
    let (evocation, database) = try start(local)
    service.listsSayVersions.withLock { $0 = false }
    let list = try await twoPages(of: evocation)
    service.listsSayVersions.withLock { $0 = true }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(await evocation.updateOne(Memo(title: "mine")).error == nil)
    #expect(service.conditions.withLock { $0 } == [.version("v1")])
    await database?.close()
  }

  @Test(arguments: Local.allCases, [ListOptions.Refresh.firstPage, .allPages])
  func `what was written during a refresh keeps the version that its answer said`(
    _ local: Local, _ refreshes: ListOptions.Refresh
  ) async throws {
    let (evocation, database) = try start(local)
    let list = try await twoPages(of: evocation, refreshes)
    let gate = Gate()
    service.reads.withLock { $0 = gate }
    let refresh = Task { try await list.refresh(force: true) }
    #expect(await gate.arrivals(1))
    #expect(await evocation.updateOne(Memo(title: "mine")).error == nil)
    gate.open()
    #expect(try await refresh.value == .successful)
    #expect(await evocation.updateOne(Memo(title: "again")).error == nil)
    #expect(service.conditions.withLock { $0 } == [.version("v1"), .version("v2")])
    await database?.close()
  }

  /// Returns a list that has loaded two pages of one memo each.
  private func twoPages(
    of evocation: Evocation, _ refreshes: ListOptions.Refresh = .allPages
  ) async throws -> PagingCacheRepository<ProxyPagingCacheDataSource<Memo>> {
    let list = evocation.pagingCache(Memo.self, pageSize: 1, options: .init(refreshes: refreshes))
    list.requirements = Criteria()
    #expect(try await list.refresh() == .successful)
    await list.goToNextPage()
    return list
  }

  @Test(arguments: Local.allCases)
  func `the copy of a write to local says the version too, and keeps the answered one`(
    _ local: Local
  ) async throws {
    let (evocation, database) = try start(local)
    _ = await evocation.find(model: Memo.self)
    for title in ["a", "b"] {
      let result = await evocation.updateOne(Memo(title: title), rule: .localFirst)
      #expect(result.error == nil && result.synchronizationError == nil)
    }
    #expect(
      service.conditions.withLock { $0 } == [.version("v1"), .version("v2")])
    await database?.close()
  }

  @Test(arguments: [Strategy.remoteFirst, .offlineFirst])
  func `a restart forgets no version`(_ strategy: Strategy) async throws {
    let (first, database) = try start(.file, strategy)
    _ = await first.find(model: Memo.self, rule: .init(target: .remote))
    await database?.close()
    let (evocation, again) = try start(.file, strategy)
    let result = await evocation.updateOne(Memo(title: "mine"), rule: .init(target: .remote))
    #expect(result.error == nil)
    #expect(service.conditions.withLock { $0 } == [.version("v1")])
    await again?.close()
  }
}
