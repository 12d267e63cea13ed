import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct ProxyPagingTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let clock = ManualClock()
  private let local = InMemoryRepository<Listed>()
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock))
  }

  private func list(
    _ service: some Repository<Listed>, _ paging: ProxyPaging = .offset,
    refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil,
    maxAge: Duration? = nil, automaticallyRefresh: Bool = false
  ) -> List {
    evocation.register(for: Listed.self).repository(remote: service).repository(local: local)
    let list = evocation.pagingCache(
      Listed.self, pageSize: 2, maxAge: maxAge,
      options: .init(
        paging: paging, refreshes: refreshes, maxPages: keptPages,
        automaticallyRefresh: automaticallyRefresh))
    list.requirements = Criteria()
    return list
  }

  @Test(arguments: ShiftingService.Kind.allCases)
  func `Pages are asked for one after the other, and a short one is the last`(
    _ kind: ShiftingService.Kind
  ) async throws {
    let service = ShiftingService(Listed.items(1...5), kind)
    let list = list(service, service.paging)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    #expect(try await list.ids() == [1, 2, 3, 4, 5])
    #expect(service.asked.map(\.limit) == [2, 2, 2])
    if kind == .offset { #expect(service.asked.map(\.offset) == [0, 2, 4]) }
  }

  @Test func `The criteria's own limit and offset say which part is to be had`() async throws {
    let service = ShiftingService(Listed.items(0...9))
    let list = list(service)
    list.requirements = Criteria().offset(3).limit(3)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    #expect(try await list.ids() == [3, 4, 5])
    #expect(service.asked.map(\.offset) == [3, 5])
    #expect(service.asked.map(\.limit) == [2, 1])
  }

  @Test func `A model that the service shifted is listed once, and where it is now`() async throws {
    let service = ShiftingService(Listed.items(1...4))
    let list = list(service)
    try await list.refresh()
    service.items.insert(Listed(9), at: 0)
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [1, 2, 3])
    service.items = Listed.items(1...2) + [Listed(4), Listed(5), Listed(1)]
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [2, 3, 1])
  }

  @Test func `An edit shows in every list, and a removed model leaves them for good`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...4))
    let (all, other) = (list(service), list(service))
    other.requirements = Criteria().sorted(by: "title")
    try await all.refresh()
    try await other.refresh()
    for list in [all, other] {
      var states = list.observe().makeAsyncIterator()
      let first = try #require(await states.next())
      #expect(first.cache?.cache == Listed.items(1...2))
      #expect(await evocation.update([Listed(1, "new")]).error == nil)
      let edited = try #require(await states.next())
      #expect(edited.cache?.cache == [Listed(1, "new"), Listed(2)])
      _ = try await local.update([Listed(1)])
      let restored = try #require(await states.next())
      #expect(restored.cache?.cache == Listed.items(1...2))
    }
    _ = try await local.remove([Listed(1)])
    _ = try await local.store([Listed(1)])
    for list in [all, other] { #expect(try await list.ids() == [2]) }
  }

  @Test func `A refresh replaces the list, and removes what only the old one had`() async throws {
    let service = ShiftingService(Listed.items(1...6))
    let (all, other) = (list(service), list(service))
    other.requirements = Criteria().limit(1)
    try await all.refresh()
    #expect(await all.goToNextPage() == .successful)
    try await other.refresh()
    service.items = Listed.items(4...6)
    #expect(try await all.refresh(force: true) == .successful)
    #expect(try await all.ids() == [4, 5])
    #expect(try await local.find(Criteria()).value == [Listed(1), Listed(4), Listed(5)])
  }

  @Test func `Models that a plain cache keeps stay when a list lets them go`() async throws {
    let service = ShiftingService(Listed.items(1...3))
    let list = list(service)
    try await list.refresh()
    let kept = evocation.cache(Listed.self, options: .init(removesMissing: false))
    kept.requirements = ["title": ""]
    #expect(try await kept.refresh() == .successful)
    service.items = Listed.items(3...3)
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await local.find(Criteria()).value == Listed.items(1...3))
  }

  @Test func `A refresh of all pages takes effect whole, and the old list stays meanwhile`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...8))
    let list = list(service, refreshes: .allPages)
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    service.items = Listed.items(11...18)
    let gate = Gate()
    service.gate = gate
    async let refreshed = list.refresh(force: true)
    await gate.arrivals(1)
    gate.letOneThrough()
    await gate.arrivals(2)
    #expect(try await list.ids() == [1, 2, 3, 4])
    #expect(try await local.find(Criteria()).value == Listed.items(1...4))
    async let paged = list.goToNextPage()
    await gate.arrivals(3)
    gate.open()
    #expect(try await refreshed == .successful)
    let result = await paged
    #expect([.successful, .skipped(.cancelled)].contains(result))
    let found = try await list.ids()
    #expect(found.prefix(4) == [11, 12, 13, 14])
    #expect(found.allSatisfy { $0 > 10 })
  }

  @Test func `Pages over the limit go from the other end, and can be loaded again`()
    async throws
  {
    let service = ShiftingService(Listed.items(1...8))
    let list = list(service, keptPages: 2)
    try await list.refresh()
    for _ in 0..<3 { #expect(await list.goToNextPage() == .successful) }
    #expect(try await list.ids() == [5, 6, 7, 8])
    #expect(await list.goToPreviousPage() == .successful)
    #expect(try await list.ids() == [3, 4, 5, 6])
    #expect(await list.goToPreviousPage() == .successful)
    #expect(try await list.ids() == [1, 2, 3, 4])
    #expect(await list.goToPreviousPage() == .skipped(.noMorePages))
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    #expect(try await list.ids() == [5, 6, 7, 8])
    for _ in 0..<2 { #expect(await list.goToPreviousPage() == .successful) }
    #expect(try await list.ids() == [1, 2, 3, 4])
  }

  @Test func `A window shows a part of the list, and says which part of how many`() async throws {
    let service = ShiftingService(Listed.items(1...6))
    let list = list(service)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    list.window = 1..<3
    var states = list.observe().makeAsyncIterator()
    let first = try #require(await states.next()?.cache)
    #expect(first.cache.map(\.id) == [2, 3])
    #expect(first.range == 1..<3)
    #expect(first.count == 6)
    list.window = 4..<9
    let second = try #require(await states.next()?.cache)
    #expect(second.cache.map(\.id) == [5, 6])
    #expect(second.range == 4..<6)
    list.window = 8..<9
    let beyond = try #require(await states.next()?.cache)
    #expect(beyond.cache.isEmpty)
    #expect(beyond.count == 6)
    list.window = nil
    #expect(try #require(await states.next()?.cache).cache.count == 6)
    #expect(try await list.ids() == [1, 2, 3, 4, 5, 6])
  }

  @Test func `Without a remote or a local repository it is said which is missing`() async throws {
    let list = evocation.pagingCache(Listed.self, pageSize: 2)
    list.requirements = Criteria()
    #expect(try await list.refresh() == .failed(EvocationError.proxyNotFound(model: "Listed")))
    let missing = EvocationError.missingRepository(.local, model: "Listed")
    evocation.register(for: Listed.self).repository(remote: ShiftingService([]))
    #expect(try await list.refresh() == .failed(missing))
  }

  @Test func `A model whose id is not coded cannot be listed, and it is said why`() async throws {
    struct Uncoded: Codable, Identifiable, Sendable {
      var name: String
      var number = 1
      var id: String { "\(name)\(number)" }
    }
    evocation.register(for: Uncoded.self)
      .repository(remote: RepositoryMock<Uncoded> { _ in [Uncoded(name: "a")] })
      .repository(local: InMemoryRepository<Uncoded>())
    let list = evocation.pagingCache(Uncoded.self, pageSize: 2)
    list.requirements = Criteria()
    let error = CacheError.notListable(model: "Uncoded")
    #expect(try await list.refresh() == .failed(error))
    #expect(
      error.description
        == "Evocation cannot store lists of Uncoded, because its id is not coded as one value; "
        + "code the id as one value.")
  }

  @Test func `A cursor that is empty ends the list, and one that repeats is a named error`()
    async throws
  {
    let empty = RepositoryMock<Listed>(metadata: ["next": ""]) { _ in Listed.items(1...2) }
    let ended = list(empty, .cursor(key: "next"))
    try await ended.refresh()
    #expect(await ended.goToNextPage() == .skipped(.noMorePages))
    let repeating = RepositoryMock<Listed>(metadata: ["next": "a"]) { _ in Listed.items(1...2) }
    let circle = list(repeating, .cursor(key: "next"))
    try await circle.refresh(force: true)
    let tag = circle.source.tag(for: Criteria())
    #expect(await circle.goToNextPage() == .failed(CacheError.repeatedPage(tag: tag)))
    #expect(try await circle.ids() == [1, 2])
  }

  @Test func `An empty page with more to come is passed over`() async throws {
    let counted = CountingCursors(pages: [[], [Listed(1)], [], [], [Listed(2)], []])
    let list = list(counted, .cursor(key: "next"))
    try await list.refresh()
    #expect(try await list.ids() == [1])
    #expect(await list.goToNextPage() == .successful)
    #expect(try await list.ids() == [1, 2])
  }

  @Test func `Two quick calls load one page, and next and previous at once both`() async throws {
    let service = ShiftingService(Listed.items(1...8))
    let list = list(service, keptPages: 2)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    let gate = Gate()
    service.gate = gate
    async let next = list.goToNextPage()
    await gate.arrivals(1)
    let second = Caller { await list.goToNextPage() }
    await second.hasAsked()
    async let previous = list.goToPreviousPage()
    await gate.arrivals(2)
    gate.open()
    #expect(await next == .successful)
    #expect(await second.result == .successful)
    #expect(await previous == .successful)
    let found = try await list.ids()
    #expect(Set(found).count == found.count)
    #expect(found.count == 4)
  }

  @Test func `A page for a list that was cleared or replaced meanwhile is dropped`() async throws {
    let service = ShiftingService(Listed.items(1...8))
    let list = list(service)
    try await list.refresh()
    let gate = Gate()
    service.gate = gate
    async let page = list.goToNextPage()
    await gate.arrivals(1)
    try await list.clear()
    #expect(await page == .skipped(.cancelled))
    service.gate = nil
    #expect(await list.goToNextPage() == .failed(CacheError.pageWithoutCache))
    #expect(try await list.refresh() == .successful)
    let second = Gate()
    service.gate = second
    async let other = list.goToNextPage()
    await second.arrivals(1)
    list.requirements = Criteria().limit(4)
    #expect(await other == .skipped(.cancelled))
    second.open()
    list.requirements = Criteria()
    #expect(try await list.ids() == [1, 2])
  }
}

/// A service that leads from page to page by numbers, empty pages included.
private final class CountingCursors: Repository {
  private let pages: [[Listed]]

  init(pages: [[Listed]]) {
    self.pages = pages
  }

  func find(_ criteria: Criteria) async throws -> Response<[Listed]> {
    var number = 0
    if case .text(let text)? = criteria.cursor?.id.first { number = Int(text) ?? 0 }
    let next = number + 1
    return Response(pages[number], metadata: next < pages.count ? ["next": next] : [:])
  }

  func store(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func update(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func remove(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
}
