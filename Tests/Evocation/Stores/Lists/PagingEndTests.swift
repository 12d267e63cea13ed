import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// A service's error for a page beyond the end of a list.
private struct NotThere: ClassifiedError, Equatable {
  var failureKind: FailureKind { .permanent }
  var isNotFound: Bool { true }
}

/// What a service says of a page beyond the end of a list.
private enum Beyond: CaseIterable {
  case empty
  case notThere
}

/// A list of twenty models a page, by offset or number.
@Suite(.patient) struct PagingEndTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let evocation = Evocation(configuration: .init(clock: ManualClock()))
  private let count = Lock(45)

  private static func paging(endsWithNotFound: Bool) -> ProxyPaging {
    .number(endsWithNotFound: endsWithNotFound) { criteria, page in
      criteria.offset((page - 1) * (criteria.limit ?? 0))
    }
  }

  private func service(_ beyond: Beyond) -> RepositoryMock<Listed> {
    RepositoryMock { [count] call in
      guard case .find(let criteria) = call else { return [] }
      let count = count.withLock { $0 }
      if beyond == .notThere, criteria.offset >= count { throw NotThere() }
      let end = min(count, criteria.offset + (criteria.limit ?? count))
      return (criteria.offset..<max(criteria.offset, end)).map { Listed($0) }
    }
  }

  private func list(
    _ service: some Repository<Listed>, _ paging: ProxyPaging,
    _ refreshes: ListOptions.Refresh = .firstPage, size: Int = 20
  ) -> List {
    evocation.register(for: Listed.self).repository(remote: service)
      .repository(local: InMemoryRepository<Listed>())
    let list = evocation.pagingCache(
      Listed.self, pageSize: size,
      options: .init(paging: paging, refreshes: refreshes, automaticallyRefresh: false))
    list.requirements = Criteria()
    return list
  }

  private func size(_ list: List) async throws -> Int {
    try await list.value(from: .cache).count
  }

  @Test(arguments: Beyond.allCases)
  private func `a list that shrank to whole pages is refreshed as long as it is`(
    beyond: Beyond
  ) async throws {
    let list = list(service(beyond), Self.paging(endsWithNotFound: true), .allPages)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    #expect(try await size(list) == 45)
    count.withLock { $0 = 40 }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await size(list) == 40)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    count.withLock { $0 = 20 }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await size(list) == 20)
    count.withLock { $0 = 41 }
    #expect(try await list.refresh(force: true) == .successful)
    while await list.goToNextPage() == .successful {}
    #expect(try await size(list) == 41)
  }

  @Test(arguments: Beyond.allCases)
  private func `a list that shrank to whole pages ends where it does when it is loaded again`(
    beyond: Beyond
  ) async throws {
    let list = list(service(beyond), Self.paging(endsWithNotFound: true))
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    count.withLock { $0 = 40 }
    #expect(await list.goToNextPage() == .successful)
    #expect(try await size(list) == 40)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    #expect(try await list.refresh(force: true) == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(try await size(list) == 40)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
  }

  @Test(arguments: [ProxyPaging.offset, .after])
  func `an empty page ends a list by offset or place, that was refreshed as long as it is`(
    paging: ProxyPaging
  ) async throws {
    let shifting = ShiftingService(
      (1...45).map { Listed($0) }, paging.isByAnswer ? .after : .offset)
    let list = list(shifting, paging, .allPages)
    try await list.refresh()
    for _ in 0..<2 { #expect(await list.goToNextPage() == .successful) }
    shifting.items = (1...40).map { Listed($0) }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(try await size(list) == 40)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
  }

  @Test func `a first page that is not found is an error, whatever is taken for the end`()
    async throws
  {
    count.withLock { $0 = 0 }
    for refreshes in [ListOptions.Refresh.firstPage, .allPages] {
      let list = list(service(.notThere), Self.paging(endsWithNotFound: true), refreshes)
      #expect(try await list.refresh() == .failed(NotThere()))
      // Also where the app asks for it by its number.
      await #expect(throws: NotThere()) {
        try await list.source.fetchFreshCache(
          Criteria(), pagingRequirements: ProxyPage(place: .number(1)))
      }
    }
  }

  @Test func `a page that is not found is an error where nobody said that the list ends so`()
    async throws
  {
    count.withLock { $0 = 40 }
    let list = list(service(.notThere), Self.paging(endsWithNotFound: false))
    try await list.refresh()
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToNextPage() == .failed(NotThere()))
    #expect(try await size(list) == 40)
  }

  @Test func `another error beyond the end is an error`() async throws {
    let service = ShiftingService((1...4).map { Listed($0) }, .number)
    let list = list(service, Self.paging(endsWithNotFound: true), size: 2)
    try await list.refresh()
    service.answersUntilOutage = 0
    #expect(await list.goToNextPage() == .failed(ShiftingService.Outage()))
  }

  @Test(arguments: [ProxyPaging.link, .cursor(key: "next"), .cursor(key: "X-Next")])
  func `a service that leads to no next page cannot be paged by links or cursors, and it is said`(
    paging: ProxyPaging
  ) async throws {
    let list = list(service(.empty), paging)
    guard case .failed(let error as CacheError) = try await list.refresh() else {
      Issue.record("It ended the list.")
      return
    }
    guard case .noPageKey(let key, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      "\(error)"
        == "The first page of the list of TestSupport.Listed is full, and its answer has no "
        + "\"\(key)\" that says whether another page follows; page the list by the key or the "
        + "header field that the server sends, or by .number, .offset or .after.")
    #expect(await list.valueIfAvailable(from: .cache) == nil)
  }

  @Test func `a full first page without a link is the whole list where the service speaks links`()
    async throws
  {
    count.withLock { $0 = 20 }
    let linking = LinkingService(service(.empty), count)
    let list = list(linking, .link)
    #expect(try await list.refresh() == .successful)
    #expect(linking.limits == [20, 1])
    #expect(try await size(list) == 20)
    #expect(await list.goToNextPage() == .skipped(.noMorePages))
    count.withLock { $0 = 0 }
    #expect(try await list.refresh(force: true) == .successful)
    #expect(linking.limits == [20, 1, 20])
  }

  @Test func `an answer that says that nothing follows is not asked about it`() async throws {
    let whole: [[String: any Sendable]] = [
      ["next": ""], ["previous": ""], ["headers": ["next": ""]], ["totalCount": 20],
      ["totalCount": 3],
    ]
    for metadata in whole {
      let remote = RepositoryMock<Listed>(metadata: metadata) { _ in (1...20).map { Listed($0) } }
      let list = list(remote, .link)
      #expect(try await list.refresh() == .successful, "\(metadata)")
      #expect(remote.calls.count == 1, "\(metadata)")
    }
    let more = RepositoryMock<Listed>(metadata: ["totalCount": 21]) { _ in
      (1...20).map { Listed($0) }
    }
    guard case .failed(CacheError.noPageKey) = try await list(more, .link).refresh() else {
      Issue.record("It ended the list.")
      return
    }
  }

  @Test func `a list that is in use is fetched again for another local repository`() async throws {
    let (first, second) = (service(.empty), service(.empty))
    let old = list(first, .offset)
    var states = old.observe().makeAsyncIterator()
    #expect(try await old.refresh() == .successful)
    while let state = await states.next(), state.cache == nil {}
    // It has neither the list nor its models, whatever the ledger says.
    let new = list(second, .offset)
    #expect(try await new.refresh() == .successful)
    #expect(try await size(new) == 20)
    #expect((first.calls.count, second.calls.count) == (1, 1))
    #expect(try await new.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `a first page that is short, or all that is wanted, needs no link`() async throws {
    count.withLock { $0 = 19 }
    let short = service(.empty)
    #expect(try await list(short, .link).refresh() == .successful)
    #expect(short.calls.count == 1)
    count.withLock { $0 = 45 }
    let wanted = service(.empty)
    let list = list(wanted, .link)
    list.requirements = Criteria().limit(20)
    #expect(try await list.refresh() == .successful)
    list.requirements = Criteria().limit(7)
    #expect(try await list.refresh() == .successful)
    #expect(wanted.calls.count == 2)
  }
}

/// A service that leads to the next page where there is one, and says nothing where there is none.
private final class LinkingService: Repository {
  private let base: RepositoryMock<Listed>
  private let count: Lock<Int>

  init(_ base: RepositoryMock<Listed>, _ count: Lock<Int>) {
    self.base = base
    self.count = count
  }

  /// The limits of all reads.
  var limits: [Int?] {
    base.calls.map { if case .find(let criteria) = $0 { criteria.limit } else { nil } }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Listed]> {
    let models = try await base.find(criteria).value
    let hasNext = models.count < count.withLock { $0 }
    return Response(models, metadata: hasNext ? ["next": "https://example.org/?page=2"] : [:])
  }

  func store(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func update(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
  func remove(_ models: [Listed]) async throws -> Response<[Listed]> { Response([]) }
}
