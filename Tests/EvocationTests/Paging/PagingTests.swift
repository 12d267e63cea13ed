import Evocation
import EvocationTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct PagingTests {
  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()

  private func repository(
    _ source: FakePagedSource, keepsPages: Bool = true
  ) -> PagingCacheRepository<FakePagedSource> {
    let repository = PagingCacheRepository(
      source, keepsPages: keepsPages, ledger: ledger, clock: clock)
    repository.requirements = .init(tag: "numbers")
    return repository
  }

  /// Three pages of two, each led to by a cursor.
  private static func page(_ cursor: PageCursor) -> FetchedPage<[Int], PageCursor> {
    switch cursor.cursor {
    case nil: FetchedPage([1, 2], next: PageCursor("b"))
    case "b": FetchedPage([3, 4], next: PageCursor("c"))
    default: FetchedPage([5, 6], next: PageCursor(""))
    }
  }

  @Test func `A next page is shown as loading, and then with the list in one state`() async throws {
    let repository = repository(FakePagedSource { cursor, _ in Self.page(cursor) })
    var states = repository.observe().makeAsyncIterator()
    for _ in 0..<2 { _ = try await states.next() }
    let first = try #require(await states.next())
    #expect(first.cache == PagedCache([1, 2], areMorePages: true))
    #expect(await repository.goToNextPage() == .successful)
    let loading = try #require(await states.next())
    #expect(loading.cache == PagedCache([1, 2], areMorePages: true, next: .loading))
    let second = try #require(await states.next())
    #expect(second.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
    #expect(await repository.goToNextPage() == .successful)
    let loadingLast = try #require(await states.next())
    #expect(loadingLast.next == AdditionalLoadingState.loading)
    let third = try #require(await states.next())
    #expect(third.cache == PagedCache([1, 2, 3, 4, 5, 6]))
    #expect(await repository.goToNextPage() == .skipped(.noMorePages))
    let list = PagedCache([1, 2, 3, 4, 5, 6])
    #expect(
      third.loadingState
        == .completed(content: list, next: .noMorePages, previous: .noMorePages))
  }

  @Test func `A list goes on after a restart, with another repository on the same ledger`()
    async throws
  {
    let source = FakePagedSource { cursor, _ in Self.page(cursor) }
    try await repository(source).refresh()
    #expect(await repository(source).goToNextPage() == .successful)
    #expect(await repository(source).goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4, 5, 6])
    #expect(source.fetched.count == 3)
    let cut = repository(source, keepsPages: false)
    #expect(await cut.goToNextPage() == .successful)
    #expect(source.cuts == 1)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `A service that leads in a circle is found out, and the list stays`() async throws {
    let source = FakePagedSource { cursor, count in
      FetchedPage([count], next: PageCursor(cursor.cursor == "a" ? "b" : "a"))
    }
    let repository = repository(source)
    try await repository.refresh()
    var results: [PageResult] = []
    for _ in 0..<10 where results.allSatisfy({ $0 == .successful }) {
      results.append(await repository.goToNextPage())
    }
    #expect(results.last == .failed(CacheError.repeatedPage(tag: "numbers")))
    #expect(results.count < 8)
  }
}
