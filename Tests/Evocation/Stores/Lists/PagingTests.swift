import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct PagingTests {
  private let bench = PagingBench()

  @Test func `A next page is shown as loading, and then with the list in one state`()
    async throws
  {
    let repository = bench.repository(FakePagedSource())
    var states = repository.observe().makeAsyncIterator()
    for _ in 0..<2 { _ = await states.next() }
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

  @Test func `A page that fails is shown beside the list, and is tried again when asked`()
    async throws
  {
    let source = FakePagedSource { cursor, count in
      if count == 2 { throw Unreached() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .failed(Unreached()))
    let failed = try await bench.present(repository)
    let list = PagedCache([1, 2], areMorePages: true, next: .error(Unreached()))
    #expect(failed.cache == list)
    #expect(failed.refreshError == nil)
    #expect(
      failed.loadingState
        == .completed(content: list, next: .error(Unreached()), previous: .noMorePages))
    #expect(await repository.goToNextPage(continueWhenError: false) == .skipped(.lastPageFailed))
    #expect(source.fetched.count == 2)
    #expect(await repository.goToNextPage() == .successful)
    let loaded = try await bench.present(repository)
    #expect(loaded.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
  }

  @Test func `A page that was appended does not renew the age of the list`() async throws {
    let source = FakePagedSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let repository = bench.repository(source)
    let date = bench.clock.date
    try await repository.refresh()
    bench.clock.advance(by: .seconds(50))
    #expect(await repository.goToNextPage() == .successful)
    let fresh = try await bench.present(repository)
    #expect(fresh.fetchedAt == date)
    #expect(fresh.cacheAge == .seconds(50))
    #expect(!fresh.isStale)
    bench.clock.advance(by: .seconds(11))
    #expect(try await bench.present(repository).isStale)
    #expect(try await bench.ledger.record(for: "numbers")?.fetchedAt == date)
  }

  @Test func `A next page is made of the last answer, and none is loaded twice or beyond`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      if count == 2 { try await gate.pass() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    async let page = repository.goToNextPage()
    await gate.arrivals(1)
    let second = Caller { await repository.goToNextPage() }
    await second.hasAsked()
    gate.open()
    #expect(await page == .successful)
    #expect(await second.result == .successful)
    #expect(await repository.goToNextPage() == .successful)
    #expect(await repository.goToNextPage() == .skipped(.noMorePages))
    #expect(await repository.goToPreviousPage() == .skipped(.noMorePages))
    #expect(source.fetched == [.start, PageCursor("b"), PageCursor("c")])
    #expect(source.list == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [nil, PageCursor(nil), PageCursor(""), PageCursor("b")])
  func `There are no more pages until it is known, and none after an empty cursor`(
    cursor: PageCursor?
  ) async throws {
    let source = FakePagedSource(automaticallyRefresh: false) { _, _ in
      FetchedPage([1, 2], next: cursor)
    }
    let repository = bench.repository(source)
    let before = try await bench.present(repository)
    #expect(!before.areMorePages && before.next == .noMorePages)
    try await repository.refresh()
    let areMore = cursor?.cursor == "b"
    let state = try await bench.present(repository)
    #expect(state.areMorePages == areMore)
    #expect(state.next == .fixed(canRequestAdditionalData: areMore))
    #expect(state.cache == PagedCache([1, 2], areMorePages: areMore))
  }

  @Test func `Next and previous pages load side by side, and join on either end`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      if count > 1 { try await gate.pass() }
      return .fromTheMiddle(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    async let next = repository.goToNextPage()
    await gate.arrivals(1)
    async let previous = repository.goToPreviousPage()
    await gate.arrivals(2)
    #expect(
      try await bench.present(repository).cache
        == PagedCache(
          [5, 6], areMorePages: true, areMorePreviousPages: true, next: .loading,
          previous: .loading))
    gate.open()
    #expect(await next == .successful)
    #expect(await previous == .successful)
    #expect(
      try await bench.present(repository).cache
        == PagedCache([3, 4, 5, 6, 7, 8], areMorePages: true, areMorePreviousPages: true))
    #expect(await repository.goToPreviousPage() == .successful)
    #expect(await repository.goToNextPage() == .successful)
    #expect(try await bench.present(repository).cache == PagedCache(Array(1...10)))
  }

  @Test func `A refresh begins with the first page, and the pages' states start over`()
    async throws
  {
    let source = FakePagedSource { cursor, _ in
      if cursor.cursor == "c" { throw Unreached() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    #expect(await repository.goToNextPage() == .failed(Unreached()))
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(
      try await bench.present(repository).cache == PagedCache([1, 2], areMorePages: true))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4])
    #expect(source.fetched.map(\.cursor) == [nil, "b", "c", nil, "b"])
  }

  @Test func `A page of no list, or of one that failed, is an error of the page alone`()
    async throws
  {
    let source = FakePagedSource(automaticallyRefresh: false) { cursor, count in
      if count == 1 { throw Unreached() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    #expect(await repository.goToNextPage() == .failed(CacheError.pageWithoutCache))
    #expect(try await bench.present(repository).refreshError == nil)
    #expect(try await repository.refresh() == .failed(Unreached()))
    #expect(await repository.goToNextPage() == .failed(CacheError.pageWithoutCache))
    #expect(try await bench.present(repository).refreshError is Unreached)
    #expect(source.fetched.count == 1)
    // What the error advises is what fixes it.
    #expect("\(CacheError.pageWithoutCache)".hasSuffix("refresh the list first."))
    #expect(try await repository.refresh() == .successful)
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test(arguments: [false, true])
  func `After a failed refresh what is loaded is a list that can be continued`(
    _ isObserved: Bool
  ) async throws {
    let source = FakePagedSource(automaticallyRefresh: false) { cursor, count in
      if count == 2 { throw Unreached() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    let observation = isObserved ? repository.observe { _ in } : nil
    defer { observation?.cancel() }
    try await repository.refresh()
    #expect(try await repository.refresh(force: true) == .failed(Unreached()))
    #expect(await repository.goToNextPage() == .successful)
    let state = try await bench.present(repository)
    #expect(state.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
    // The refresh has failed all the same.
    #expect(state.refreshError is Unreached)
    #expect(source.fetched.map(\.cursor) == [nil, nil, "b"])
  }

  @Test func `Pages are put in the list's place or on its ends, cut and deleted when asked`()
    async throws
  {
    let source = FakePagedSource { cursor, _ in .fromTheMiddle(cursor) }
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    #expect(await repository.goToPreviousPage() == .successful)
    #expect(source.places == [.replacing, .after, .before])
    #expect(source.cuts == 0)
    let cut = try await bench.relaunched().repository(source, keepsPages: false)
    #expect(try await cut.refresh() == .skipped(.cacheNotTooOld))
    #expect(source.cuts == 1)
    #expect(await cut.goToNextPage() == .successful)
    #expect(source.fetched.last == PageCursor("d"))
    #expect(source.cuts == 1)
    #expect(source.deletions == 0)
    try await cut.clear()
    #expect(source.deletions == 1)
    try await cut.refresh()
    try await cut.update(nil)
    #expect(source.deletions == 2)
    #expect(await cut.goToNextPage() == .failed(CacheError.pageWithoutCache))
  }

  @Test func `A list whose pages are of another type takes none from the app, and stays`()
    async throws
  {
    let repository = PagingCacheRepository(LinePages(), ledger: bench.ledger, clock: bench.clock)
    repository.requirements = "numbers"
    #expect(try await repository.refresh() == .successful)
    await #expect(throws: CacheError.notUpdatable(source: "LinePages")) {
      try await repository.update([7])
    }
    #expect(try await repository.value(from: .cache) == [1, 2])
    #expect(await repository.goToNextPage() == .skipped(.noMorePages))
  }

  @Test func `A paged state keeps what it says of further pages when converted`() throws {
    let list = PagedCache(
      [1, 2], areMorePages: true, areMorePreviousPages: true, next: .error(Unreached()),
      previous: .loading)
    let state = CacheState(
      .cache(list, fetchedAt: bench.clock.date), areMorePages: true, areMorePreviousPages: true,
      next: list.next, previous: list.previous)
    let words = state.convert { $0?.convert { $0.map { "\($0)" } } }
    #expect(
      words.cache
        == PagedCache(
          ["1", "2"], areMorePages: true, areMorePreviousPages: true, next: .error(Unreached()),
          previous: .loading))
    #expect(words.areMorePages && words.areMorePreviousPages)
    #expect(words.next == list.next && words.previous == list.previous)
  }

  @Test func `An empty list is completed without elements, and not loading for ever`() {
    let empty = CacheState<PagedCache<[Int]>>(.cache(nil, fetchedAt: ManualClock().date))
    #expect(
      empty.loadingState
        == .completed(content: PagedCache([]), next: .noMorePages, previous: .noMorePages))
    let reading = CacheState<PagedCache<[Int]>>(
      .cache(nil, fetchedAt: ManualClock().date), isReading: true)
    #expect(reading.loadingState == .loading(content: nil))
  }
}

/// A list of numbers whose one page is fetched as a line.
private struct LinePages: PagingCacheDataSource {
  let numbers = FakePagedSource()
  let automaticallyRefresh = false

  func firstPage(_ requirements: CacheTag) -> PageCursor { .start }

  func fetchFreshCache(
    _ requirements: CacheTag, pagingRequirements: PageCursor
  ) async throws -> FetchedPage<String, PageCursor> {
    FetchedPage("1 2")
  }

  func saveCache(
    _ fetched: String, requirements: CacheTag, pagingRequirements: PageCursor, place: PagePosition
  ) async throws {
    try await numbers.saveCache(
      fetched.split(separator: " ").compactMap { Int($0) }, requirements: requirements,
      pagingRequirements: pagingRequirements, place: place)
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[Int], any Error> {
    numbers.observeCache(requirements)
  }
}
