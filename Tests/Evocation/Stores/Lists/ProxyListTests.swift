import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// What a list of a proxy has in common with its other caches, and with the app's own writes.
@Suite(.patient) struct ProxyListTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let clock = ManualClock()
  private let local = InMemoryRepository<Listed>()
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock))
  }

  private func register(
    _ service: some Repository<Listed>, _ local: some Repository<Listed>,
    _ strategy: Strategy = .default()
  ) {
    evocation.register(for: Listed.self).repository(remote: service).repository(local: local)
      .strategy(strategy)
  }

  private func list(
    maxAge: Duration? = nil, removesMissing: Bool = true,
    automaticallyRefresh: Bool = false
  ) -> List {
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, maxAge: maxAge,
      options: .init(removesMissing: removesMissing, automaticallyRefresh: automaticallyRefresh))
    list.requirements = Criteria()
    return list
  }

  @Test func `A page from before a write of the app is saved with what the app wrote`() async throws
  {
    let service = ShiftingService(Listed.items(1...4))
    register(service, local, .localOnly)
    let list = list()
    try await list.refresh()
    let gate = Gate()
    service.gate = gate
    async let page = list.goToNextPage()
    await gate.arrivals(1)
    #expect(await evocation.storeOrUpdate([Listed(3, "mine")]).error == nil)
    gate.open()
    #expect(await page == .successful)
    #expect(service.asked.map(\.offset) == [0, 2])
    #expect(try await list.value() == Listed.items(1...2) + [Listed(3, "mine"), Listed(4)])
  }

  @Test func `A stale list is extended, and the state says that it is stale`() async throws {
    register(ShiftingService(Listed.items(1...6)), local)
    let list = list(maxAge: .seconds(60))
    try await list.refresh()
    clock.advance(by: .seconds(61))
    #expect(await list.goToNextPage() == .successful)
    var states = list.observe().makeAsyncIterator()
    let state = try #require(await states.next())
    #expect(state.cache?.cache == Listed.items(1...4))
    #expect(state.isStale)
    #expect(state.cacheAge == .seconds(61))
  }

  @Test(arguments: [nil, Criteria()])
  func `A list that is declared stale is refreshed where it is observed`(
    _ criteria: Criteria?
  ) async throws {
    let service = ShiftingService(Listed.items(1...4))
    register(service, local)
    let list = list(automaticallyRefresh: true)
    try await list.refresh()
    var states = list.observe().makeAsyncIterator()
    _ = await states.next()
    service.items = Listed.items(7...9)
    try await evocation.invalidate(Listed.self, criteria: criteria)
    for _ in 0..<10 {
      guard let state = await states.next(), state.cache?.cache != Listed.items(7...8) else {
        return
      }
    }
    Issue.record("The list was not refreshed.")
  }

  @Test func `What the app puts in as the list has no further pages`() async throws {
    register(ShiftingService(Listed.items(1...4)), local)
    let list = list()
    try await list.refresh()
    try await list.update(Listed.items(8...9))
    #expect(try await list.value() == Listed.items(8...9))
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    try await list.clear()
    #expect(await list.valueIfAvailable(from: .cache) == nil)
    #expect(try await local.find(Criteria()).value.isEmpty)
  }

  @Test func `With upsert a refresh removes nothing`() async throws {
    let service = ShiftingService(Listed.items(1...4))
    register(service, local)
    let list = list(removesMissing: false)
    try await list.refresh()
    service.items = Listed.items(4...5)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await list.value() == Listed.items(4...5))
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 4, 5])
  }

  @Test func `A window is one for all who observe the list`() async throws {
    register(ShiftingService(Listed.items(1...4)), local)
    let (first, second) = (list(), list())
    try await first.refresh()
    first.window = 1..<2
    #expect(second.window == 1..<2)
    var states = second.observe().makeAsyncIterator()
    #expect(await states.next()?.cache?.cache == [Listed(2)])
    second.requirements = nil
    #expect(second.window == nil)
  }

  @Test func `Of a local repository that tells no changes, removals are noticed at the next look`()
    async throws
  {
    register(ShiftingService(Listed.items(1...4)), Untelling(base: local))
    let list = list()
    try await list.refresh()
    _ = try await local.remove([Listed(1)])
    #expect(try await list.value() == [Listed(2)])
    _ = try await local.store([Listed(1)])
    #expect(try await list.value() == [Listed(2)])
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.value() == Listed.items(2...4))
  }

  @Test func `A link in an answer is what the next page is asked for with`()
    async throws
  {
    let url = try #require(URL(string: "https://example.org/cars?page=2"))
    let service = RepositoryMock<Listed>(metadata: ["next": url]) { _ in Listed.items(1...2) }
    register(service, local)
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, options: .init(paging: .link, automaticallyRefresh: false))
    list.requirements = Criteria()
    try await list.refresh()
    _ = await list.goToNextPage()
    guard case .find(let asked)? = service.calls.last else {
      Issue.record("It was not asked.")
      return
    }
    #expect(asked.cursor?.link == url)
    #expect(asked.limit == 2)
  }

  @Test func `A list that goes on by another kind of paging than before says so`() async throws {
    register(
      RepositoryMock<Listed>(metadata: ["next": "b"]) { _ in Listed.items(1...2) }, local)
    let byText = evocation.pagingCache(
      Listed.self, pageSize: 2,
      options: .init(paging: .cursor(key: "next"), automaticallyRefresh: false))
    byText.requirements = Criteria()
    try await byText.refresh()
    #expect(await list().goToNextPage() == .failed(CacheError.unknownPage))
    #expect(
      "\(CacheError.unknownPage)"
        == "The stored list continues with another kind of page than its source has now; refresh "
        + "the list with force: true.")
    #expect(try await list().refresh(force: true) == .successful)
    #expect(await list().goToNextPage() == .successful)
  }
}

/// A repository that keeps its changes to itself.
private struct Untelling: ForwardingRepository {
  let base: InMemoryRepository<Listed>
}
