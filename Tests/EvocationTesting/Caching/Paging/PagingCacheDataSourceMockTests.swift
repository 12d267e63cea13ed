import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct PagingCacheDataSourceMockTests {
  private typealias Mock = PagingCacheDataSourceMock<[Int], CacheTag, PageNumber>

  private func list(_ mock: Mock) -> PagingCacheRepository<Mock> {
    let list = PagingCacheRepository(mock, ledger: InMemoryFetchLedger())
    list.requirements = "numbers"
    return list
  }

  private static let numbers:
    @Sendable (CacheTag, PageNumber) async throws -> FetchedPage<
      [Int], PageNumber
    > = { _, page in
      FetchedPage([page.number], next: page.next, previous: PageNumber(page.number - 1))
    }

  @Test func `A list over the mock goes on in both directions, and each save is recorded`()
    async throws
  {
    let mock = Mock(firstPage: 5, fetch: Self.numbers)
    let list = list(mock)
    #expect(try await list.refresh() == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToPreviousPage() == .successful)
    #expect(try await list.value() == [4, 5, 6])
    #expect(
      mock.calls == [
        .fetch("numbers", page: 5), .save([5], "numbers", page: 5),
        .fetch("numbers", page: 6), .save([6], "numbers", page: 6, position: .after),
        .fetch("numbers", page: 4), .save([4], "numbers", page: 4, position: .before),
      ])
    mock.send([1], requirements: "numbers")
    #expect(try await list.value() == [1])
  }

  @Test func `A page that fails leaves the list as it is`() async throws {
    let mock = Mock(firstPage: 5) { tag, page in
      if page == 6 { throw Refused() }
      return try await Self.numbers(tag, page)
    }
    let list = list(mock)
    try await list.refresh()
    #expect(await list.goToNextPage() == .failed(Refused()))
    #expect(try await list.value() == [5])
  }

  @Test func `Deleting and cutting are recorded, and fail as the closure says`() async throws {
    let mock = Mock(firstPage: 5, maxAge: .seconds(1), fetch: Self.numbers) { call in
      guard case .save = call else { throw Refused() }
    }
    let list = list(mock)
    try await list.refresh()
    await #expect(throws: Refused.self) { try await list.clear() }
    await #expect(throws: Refused.self) { try await mock.persistOnlyFirstPage("numbers") }
    #expect(mock.calls.suffix(2) == [.delete("numbers"), .persistOnlyFirstPage("numbers")])
    #expect(mock.held("numbers") == [5])
    #expect(mock.maxAge == .seconds(1) && mock.maxUsableAge == nil && mock.automaticallyRefresh)
    var values = mock.observeCache("numbers").makeAsyncIterator()
    #expect(try await values.next() == [5])
  }
}
