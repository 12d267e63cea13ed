import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct InitListStateTests {
  private typealias State = InitialCacheState<[Int], PageNumber>

  private let clock = ManualClock()
  private let source = NumberPageSource(maxAge: .seconds(60), automaticallyRefresh: false)
  private let ledger = InMemoryFetchLedger()

  private var repository: PagingCacheRepository<NumberPageSource> {
    PagingCacheRepository(source, ledger: ledger, clock: clock)
  }

  private func put(
    _ numbers: PagingCacheRepository<NumberPageSource>, isAsync: Bool = true,
    _ wish: (State) -> State
  ) async throws {
    if isAsync {
      try await PagingCacheRepository.testing.initStateAsync(
        repository: numbers, requirements: "numbers", wish)
    } else {
      try PagingCacheRepository.testing.initState(
        repository: numbers, requirements: "numbers", wish)
    }
  }

  @Test(arguments: [false, true])
  func `A list is there as if fetched, and goes on with the pages that were given`(
    isAsync: Bool
  ) async throws {
    let numbers = repository
    try await put(numbers, isAsync: isAsync) {
      $0.cache([5, 6], nextPage: 4, previousPage: 2) { $0.cacheTooOld() }
    }
    #expect(source.fetched.isEmpty)
    var states = numbers.observe().makeAsyncIterator()
    let first = try #require(await states.next())
    #expect(
      first.cache == PagedCache([5, 6], areMorePages: true, areMorePreviousPages: true))
    #expect(first.isStale)
    #expect(await numbers.goToNextPage() == .successful)
    #expect(await numbers.goToPreviousPage() == .successful)
    #expect(source.fetched == [4, 2])
    #expect(try await source.readCache("numbers") == [3, 4, 5, 6, 7, 8])
    #expect(await numbers.goToNextPage() == .successful)
    #expect(await numbers.goToNextPage() == .skipped(.noMorePages))
  }

  @Test func `A list without further pages, an empty one and a missing one are put too`()
    async throws
  {
    let numbers = repository
    try await put(numbers) { $0.cache([5, 6]) { $0.cacheNotTooOld() } }
    #expect(await numbers.goToNextPage() == .skipped(.noMorePages))
    #expect(await numbers.goToPreviousPage() == .skipped(.noMorePages))
    #expect(try await numbers.refresh() == .skipped(.cacheNotTooOld))
    try await put(numbers) { $0.cacheEmpty(nextPage: 1) }
    var states = numbers.observe().makeAsyncIterator()
    let empty = try #require(await states.next())
    #expect(empty.fetchedAt == clock.date && empty.cache == nil && empty.areMorePages)
    #expect(await numbers.goToNextPage() == .successful)
    #expect(source.fetched == [1])
    try await put(numbers) { $0.noCache() }
    #expect(await numbers.goToNextPage() == .failed(CacheError.pageWithoutCache))
    #expect(try await ledger.record(for: "numbers") == nil)
  }

  @Test func `A page that is loaded when the list is put is dropped`() async throws {
    let gate = Gate()
    let numbers = PagingCacheRepository(
      NumberPageSource { if $0 == 4 { try await gate.pass() } }, ledger: ledger, clock: clock)
    numbers.requirements = "numbers"
    try await numbers.refresh()
    async let page = numbers.goToNextPage()
    await gate.arrivals(1)
    try await put(numbers) { $0.cache([1, 2], nextPage: 5) }
    #expect(await page == .skipped(.cancelled))
    gate.open()
    #expect(await numbers.goToNextPage() == .successful)
    #expect(try await numbers.value() == [1, 2, 9, 10])
  }
}
