import Evocation
import EvocationTesting
import TestTraits
import Testing

/// What other libraries do wrong with pages.
@Suite(.patient) struct PagingFaultTests {
  private let bench = PagingBench()

  @Test func `A list goes on after a restart, with another repository on the same ledger`()
    async throws
  {
    let source = FakePagedSource()
    try await bench.repository(source).refresh()
    let second = try await bench.relaunched()
    #expect(await second.repository(source).goToNextPage() == .successful)
    #expect(
      try await second.present(second.repository(source)).cache
        == PagedCache([1, 2, 3, 4], areMorePages: true))
    let third = try await second.relaunched()
    #expect(await third.repository(source).goToNextPage() == .successful)
    #expect(
      try await third.present(third.repository(source)).cache == PagedCache([1, 2, 3, 4, 5, 6]))
    #expect(source.fetched.count == 3)
    let cut = try await third.relaunched().repository(source, keepsPages: false)
    #expect(await cut.goToNextPage() == .successful)
    #expect(source.cuts == 1)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `A page of an old list is dropped when the list is refreshed meanwhile`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      switch count {
      case 2:
        await PagingBench.passUncancelled(gate)
        return FetchedPage([3, 4], next: PageCursor("old"))
      case 3: return FetchedPage([11, 12], next: PageCursor("new"))
      case 4: return FetchedPage([13, 14])
      default: return .numbers(cursor)
      }
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    async let page = repository.goToNextPage()
    await gate.arrivals(1)
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(await page == .skipped(.cancelled))
    gate.open()
    #expect(
      try await bench.present(repository).cache == PagedCache([11, 12], areMorePages: true))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.fetched.map(\.cursor) == [nil, "b", nil, "new"])
    #expect(source.list == [11, 12, 13, 14])
  }

  @Test func `A stale list is extended, and says that it is stale`() async throws {
    let source = FakePagedSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let repository = bench.repository(source)
    try await repository.refresh()
    bench.clock.advance(by: .seconds(61))
    #expect(await repository.goToNextPage() == .successful)
    let state = try await bench.present(repository)
    #expect(state.cache?.cache == [1, 2, 3, 4])
    #expect(state.freshness == .stale)
    try await repository.refresh()
    try await repository.invalidate()
    #expect(await repository.goToNextPage() == .successful)
    #expect(try await bench.present(repository).isStale)
    #expect(try await bench.ledger.record(for: "numbers")?.isInvalidated == true)
  }

  @Test func `A forced refresh on a later page fetches the first`() async throws {
    let source = FakePagedSource()
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(source.fetched == [.start, PageCursor("b"), .start])
    #expect(source.list == [1, 2])
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `Eight who ask at once for a page wait for one load of it`() async throws {
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      if count > 1 { try await gate.pass() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    let callers = (0..<8).map { _ in Caller { await repository.goToNextPage() } }
    for caller in callers { await caller.hasAsked() }
    gate.open()
    for caller in callers { #expect(await caller.result == .successful) }
    #expect(source.fetched == [.start, PageCursor("b")])
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `A page that failed is the one that is asked for again`() async throws {
    let saves = Lock(0)
    let source = FakePagedSource(
      saving: { _ in
        let number = saves.withLock { saves in
          saves += 1
          return saves
        }
        if number == 2 { throw Unreached() }
      },
      fetch: { cursor, count in
        if count == 2 { throw Unreached() }
        return .numbers(cursor)
      })
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .failed(Unreached()))
    #expect(await repository.goToNextPage() == .failed(Unreached()))
    #expect(try await bench.present(repository).next == .error(Unreached()))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.fetched.map(\.cursor) == [nil, "b", "b", "b"])
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `New requirements start at the first page, and the old list stays where it was`()
    async throws
  {
    let source = FakePagedSource()
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    repository.requirements = "others"
    #expect(await repository.goToNextPage() == .failed(CacheError.pageWithoutCache))
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list("others") == [1, 2, 3, 4])
    repository.requirements = "numbers"
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4, 5, 6])
    #expect(source.fetched.map(\.cursor) == [nil, "b", nil, "b", "c"])
  }

  @Test func `A next and a previous page that arrive at once are merged one at a time`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource(
      saving: { save in if save.place != .replacing { try await gate.pass() } },
      fetch: { cursor, _ in .fromTheMiddle(cursor) })
    let repository = bench.repository(source)
    try await repository.refresh()
    async let next = repository.goToNextPage()
    await gate.arrivals(1)
    async let previous = repository.goToPreviousPage()
    gate.letOneThrough()
    await gate.arrivals(2)
    #expect(source.list == [5, 6, 7, 8])
    gate.open()
    #expect(await next == .successful)
    #expect(await previous == .successful)
    #expect(source.list == [3, 4, 5, 6, 7, 8])
    // Both positions have moved on, in the ledger too.
    let relaunched = try await bench.relaunched().repository(source)
    #expect(await relaunched.goToNextPage() == .successful)
    #expect(await relaunched.goToPreviousPage() == .successful)
    #expect(source.list == Array(1...10))
  }

  @Test func `An empty cursor is the end, and nothing is announced or asked for`()
    async throws
  {
    let source = FakePagedSource { _, count in
      FetchedPage([count], next: PageCursor(count == 1 ? "b" : ""))
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    let state = try await bench.present(repository)
    #expect(state.cache == PagedCache([1, 2]))
    #expect(state.next == .noMorePages)
    #expect(await repository.goToNextPage() == .skipped(.noMorePages))
    #expect(source.fetched.count == 2)
  }

  @Test func `A first page that cannot be saved leaves the old list, its place and its age`()
    async throws
  {
    let isBroken = Lock(false)
    let source = FakePagedSource(saving: { _ in
      if isBroken.withLock({ $0 }) { throw Unreached() }
    })
    let repository = bench.repository(source)
    let date = bench.clock.date
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    bench.clock.advance(by: .seconds(10))
    isBroken.withLock { $0 = true }
    #expect(try await repository.refresh(force: true) == .failed(Unreached()))
    let state = try await bench.present(repository)
    #expect(state.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
    #expect(state.refreshError is Unreached)
    #expect(state.fetchedAt == date)
    isBroken.withLock { $0 = false }
    // The failure is of the launch that saw it, and the list goes on in the next.
    let relaunched = try await bench.relaunched().repository(source)
    #expect(await relaunched.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4, 5, 6])
    #expect(try await relaunched.refresh(force: true) == .successful)
    #expect(source.list == [1, 2])
  }
}
