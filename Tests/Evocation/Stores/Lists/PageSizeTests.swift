import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// What holds for numbers of pages and models, whichever they are.
@Suite(.patient) struct PageSizeTests {
  private typealias List = PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>

  private let local = InMemoryRepository<Listed>()
  private let evocation = Evocation()

  private func list(
    _ service: some Repository<Listed>, _ paging: ProxyPaging, pageSize: Int,
    refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil,
    criteria: Criteria = Criteria()
  ) -> List {
    evocation.register(for: Listed.self).repository(remote: service).repository(local: local)
    let list = evocation.pagingCache(
      Listed.self, pageSize: pageSize,
      options: .init(
        paging: paging, refreshes: refreshes, maxPages: keptPages, automaticallyRefresh: false))
    list.requirements = criteria
    return list
  }

  @Test(arguments: ShiftingService.Kind.allCases)
  func `Caches of two page sizes share a list without gaps, which has the size it was begun with`(
    _ kind: ShiftingService.Kind
  ) async throws {
    let service = ShiftingService(Listed.items(1...13), kind)
    let short = list(service, service.paging, pageSize: 2)
    let long = list(service, service.paging, pageSize: 5)
    try await short.refresh()
    #expect(await long.goToNextPage() == .successful)
    #expect(await short.goToNextPage() == .successful)
    #expect(try await long.ids() == Array(1...6))
    #expect(service.asked.map(\.limit) == [2, 2, 2])
    // A refresh begins a list anew, with the page size of who asks for it.
    #expect(try await long.refresh(force: true) == .successful)
    #expect(await short.goToNextPage() == .successful)
    #expect(try await short.ids() == Array(1...10))
    #expect(service.asked.map(\.limit) == [2, 2, 2, 5, 5])
  }

  @Test(arguments: ShiftingService.Kind.allCases)
  func `A refresh of all pages keeps the page size of the list, and its length`(
    _ kind: ShiftingService.Kind
  ) async throws {
    let service = ShiftingService(Listed.items(1...20), kind)
    let long = list(service, service.paging, pageSize: 5, refreshes: .allPages)
    let short = list(service, service.paging, pageSize: 2, refreshes: .allPages)
    try await long.refresh()
    for _ in 0..<2 { #expect(await long.goToNextPage() == .successful) }
    service.answersUntilOutage = 2
    #expect(try await long.refresh(force: true) == .failed(ShiftingService.Outage()))
    service.answersUntilOutage = nil
    // Whose refresh it is makes no difference.
    #expect(try await short.refresh(force: true) == .successful)
    #expect(try await short.ids() == Array(1...15))
    #expect(try await short.refresh(force: true) == .successful)
    #expect(try await long.ids() == Array(1...15))
    #expect(await short.goToNextPage() == .successful)
    #expect(try await long.ids() == Array(1...20))
    #expect(service.asked.allSatisfy { $0.limit == 5 })
  }

  @Test func `A list from before page sizes were kept goes on with the cache's`() async throws {
    let old = Data(#"{"position":4,"place":{"number":{"_0":3}}}"#.utf8)
    let page = try JSONDecoder().decode(ProxyPage.self, from: old)
    #expect(page == ProxyPage(position: 4, place: .number(3)))
    let service = ShiftingService(Listed.items(1...9), .number)
    let list = list(service, service.paging, pageSize: 2)
    let fetched = try await list.source.fetchFreshCache(Criteria(), pagingRequirements: page)
    #expect(fetched.content.map(\.id) == [5, 6])
    #expect(fetched.next == ProxyPage(position: 6, place: .number(4), size: 2))
  }

  @Test func `A dropped page is loaded again with the size that it had`() async throws {
    let service = ShiftingService(Listed.items(1...12), .number)
    let long = list(service, service.paging, pageSize: 3, keptPages: 2)
    let short = list(service, service.paging, pageSize: 2, keptPages: 2)
    try await long.refresh()
    for _ in 0..<2 { #expect(await long.goToNextPage() == .successful) }
    #expect(try await short.ids() == Array(4...9))
    #expect(await short.goToPreviousPage() == .successful)
    #expect(try await short.ids() == Array(1...6))
  }

  @Test(arguments: ShiftingService.Kind.allCases)
  func `The criteria's own limit cuts the last page, however it is asked for`(
    _ kind: ShiftingService.Kind
  ) async throws {
    let service = ShiftingService(Listed.items(1...9), kind)
    let list = list(service, service.paging, pageSize: 2, criteria: Criteria().limit(5))
    try await list.refresh()
    while await list.goToNextPage() == .successful {}
    #expect(try await list.ids() == Array(1...5))
  }

  @Test(arguments: [Int.max, Int.max - 1, Int.min, 0])
  func `Pages counted from any number go on, and end where numbers do`(_ first: Int) async throws {
    let service = RepositoryMock<Listed> { _ in Listed.items(1...2) }
    let asked = Lock<[Int]>([])
    let paging = ProxyPaging.number(from: first) { criteria, page in
      asked.withLock { $0.append(page) }
      return criteria
    }
    let list = list(service, paging, pageSize: 2)
    try await list.refresh()
    let results = [await list.goToNextPage(), await list.goToNextPage()]
    let isAtEnd = first > .max - 2
    #expect(results.last == (isAtEnd ? .skipped(.noMorePages) : .successful))
    #expect(asked.withLock { $0 }.first == first)
    #expect(asked.withLock { $0.count } == (isAtEnd ? Int.max - first + 1 : 3))
  }

  @Test(arguments: [Int.min, -1, 0, 1, Int.max], [Int.min, -1, 0, 1, Int.max])
  func `No position, limit or page size is too great to be asked with`(
    _ number: Int, _ other: Int
  ) async throws {
    for paging in [ProxyPaging.offset, .after, .cursor(key: "next"), .number { page, _ in page }] {
      let service = RepositoryMock<Listed>(metadata: ["next": "b"]) { _ in Listed.items(1...2) }
      let list = list(
        service, paging, pageSize: number, criteria: Criteria().offset(number).limit(other))
      let page = ProxyPage(position: other, size: number)
      _ = try? await list.source.fetchFreshCache(
        Criteria().offset(number).limit(other), pagingRequirements: page)
      _ = try? await list.source.fetchFreshCache(
        Criteria().limit(number), pagingRequirements: page)
      try await list.refresh()
      _ = await list.goToNextPage()
    }
    #expect(PageNumber(.max).next == PageNumber(.max))
    #expect(PageNumber(.min).previous == PageNumber(.min))
  }

  @Test func `A record whose numbers were made up is gone on with, without an end of the process`()
    async throws
  {
    let bench = PagingBench()
    let source = FakePagedSource()
    try await bench.repository(source).refresh()
    for number in [Int.min, -1, 0, Int.max] {
      var record = try #require(try await bench.ledger.record(for: "numbers"))
      let text = String(decoding: try JSONEncoder().encode(record.pages), as: UTF8.self)
      let numbers = /"(count|steps|limit)":-?\d+/
      let changed = text.replacing(numbers) { "\"\($0.output.1)\":\(number)" }
      record.pages = try JSONDecoder().decode(PageRecord.self, from: Data(changed.utf8))
      let relaunched = try await bench.relaunched()
      try await relaunched.ledger.write(record, for: "numbers")
      #expect(await relaunched.repository(source).goToNextPage() == .successful)
    }
  }
}
