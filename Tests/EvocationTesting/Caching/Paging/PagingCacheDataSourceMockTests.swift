import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct PagingCacheDataSourceMockTests {
  private typealias Mock = PagingCacheDataSourceMock<[Int], CacheTag, [Int], PageNumber>

  private let mock = Mock(firstPage: 5)

  private func list() -> PagingCacheRepository<Mock> {
    mock.closures.fetchFreshCache = { _, page in
      FetchedPage([page.number], next: page.next, previous: PageNumber(page.number - 1))
    }
    let list = PagingCacheRepository(mock, ledger: InMemoryFetchLedger())
    list.requirements = "numbers"
    return list
  }

  @Test func `A list over the mock goes on in both directions, and each save is recorded`()
    async throws
  {
    let list = list()
    #expect(try await list.refresh() == .successful)
    #expect(await list.goToNextPage() == .successful)
    #expect(await list.goToPreviousPage() == .successful)
    #expect(try await list.value() == [4, 5, 6])
    let saves = mock.calls.saveCache.invocations
    #expect(saves.map(\.place) == [.replacing, .after, .before])
    #expect(saves.map(\.page.number) == [5, 6, 4])
    #expect(saves.map(\.content) == [[5], [6], [4]])
    #expect(mock.calls.fetchFreshCache.invocations.map(\.1.number) == [5, 6, 4])
    #expect(mock.calls.callsCount > 6 && mock.calls.called)
    mock.send([1], requirements: "numbers")
    #expect(try await list.value() == [1])
  }

  @Test func `A page without a closure fails with a sentence, and the list stays`() async throws {
    let list = list()
    try await list.refresh()
    mock.closures.fetchFreshCache = nil
    guard case .failed(let error) = await list.goToNextPage() else {
      Issue.record("The page came.")
      return
    }
    #expect("\(error)".hasSuffix("; set closures.fetchFreshCache."))
    #expect(mock.failures.count == 1)
    #expect(try await list.value() == [5])
  }

  @Test func `Deleting and cutting are recorded, and play their closures`() async throws {
    let list = list()
    try await list.refresh()
    mock.closures.deleteCache = { _ in throw Refused() }
    await #expect(throws: Refused.self) { try await list.clear() }
    mock.closures.persistOnlyFirstPage = { _ in throw Refused() }
    await #expect(throws: Refused.self) { try await mock.persistOnlyFirstPage("numbers") }
    #expect(mock.calls.deleteCache.invocations == ["numbers"])
    #expect(mock.calls.persistOnlyFirstPage.invocations == ["numbers"])
    mock.resetCalls()
    #expect(!mock.calls.called)
    #expect(mock.held("numbers") == [5])
  }
}
