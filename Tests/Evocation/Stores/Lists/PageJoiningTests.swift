import Evocation
import EvocationTesting
import TestTraits
import Testing

/// What holds for several who ask for the same page.
@Suite(.patient) struct PageJoiningTests {
  private let bench = PagingBench()
  private let gate = Gate()

  /// A source whose first further page waits at the gate, and counts the loads that were cancelled.
  private func source(_ cancellations: Gate.Counter? = nil) -> FakePagedSource<PageCursor> {
    FakePagedSource { [gate] cursor, count in
      guard count == 2 else { return .numbers(cursor) }
      try await withTaskCancellationHandler {
        try await gate.pass()
      } onCancel: {
        cancellations?.increase()
      }
      return .numbers(cursor)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `A caller who is cancelled drops the page for nobody else`(_ leaving: Int) async throws {
    let source = source()
    let repository = bench.repository(source)
    try await repository.refresh()
    let first = Caller { await repository.goToNextPage() }
    await gate.arrivals(1)
    let callers = [first] + (1...2).map { _ in Caller { await repository.goToNextPage() } }
    for caller in callers { await caller.hasAsked() }
    callers[leaving].cancel()
    #expect(await callers[leaving].result == .skipped(.cancelled))
    #expect(try await bench.present(repository).next == .loading)
    gate.open()
    for (index, caller) in callers.enumerated() where index != leaving {
      #expect(await caller.result == .successful)
    }
    #expect(source.fetched.map(\.cursor) == [nil, "b"])
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `A page's load ends with the last who waits for it`() async throws {
    let cancellations = Gate.Counter()
    let source = source(cancellations)
    let repository = bench.repository(source)
    try await repository.refresh()
    let first = Caller { await repository.goToNextPage() }
    await gate.arrivals(1)
    let second = Caller { await repository.goToNextPage() }
    await second.hasAsked()
    for caller in [first, second] { caller.cancel() }
    for caller in [first, second] { #expect(await caller.result == .skipped(.cancelled)) }
    await cancellations.reach(1)
    #expect(try await bench.present(repository).next == .fixed(canRequestAdditionalData: true))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `Two repositories wait for one load, and other requirements of the first end it not`()
    async throws
  {
    let source = source()
    let (one, other) = (bench.repository(source), bench.repository(source))
    try await one.refresh()
    let first = Caller { await one.goToNextPage() }
    await gate.arrivals(1)
    let second = Caller { await other.goToNextPage() }
    await second.hasAsked()
    one.requirements = "others"
    #expect(await first.result == .skipped(.cancelled))
    gate.open()
    #expect(await second.result == .successful)
    #expect(source.fetched.map(\.cursor) == [nil, "b"])
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `All who wait for a page that fails are told why, and the next one tries again`()
    async throws
  {
    let source = FakePagedSource { [gate] cursor, count in
      guard count == 2 else { return .numbers(cursor) }
      try await gate.pass()
      throw Unreached()
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    let callers = (0..<3).map { _ in Caller { await repository.goToNextPage() } }
    for caller in callers { await caller.hasAsked() }
    gate.open()
    for caller in callers { #expect(await caller.result == .failed(Unreached())) }
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.fetched.count == 3)
  }

  @Test func `Who asks while an empty page is saved that all others left is given the next one`()
    async throws
  {
    let source = FakePagedSource(
      first: PageNumber(0),
      saved: { [gate] save in if save.numbers.isEmpty { try await gate.pass() } },
      fetch: { page, _ in FetchedPage(page == 1 ? [] : [page.number], next: page.next) })
    let repository = bench.repository(source)
    try await repository.refresh()
    let first = Caller { await repository.goToNextPage() }
    await gate.arrivals(1)
    first.cancel()
    #expect(await first.result == .skipped(.cancelled))
    let second = Caller { await repository.goToNextPage() }
    await second.hasAsked()
    gate.open()
    #expect(await second.result == .successful)
    #expect(source.list == [0, 2])
  }

  @Test(arguments: PageDirection.allCases)
  func `A page asked for inside a load of the list is refused, and nothing stands still`(
    _ direction: PageDirection
  ) async throws {
    let inner = Lock<[PageResult]>([])
    let list = Lock<PagingCacheRepository<FakePagedSource<PageCursor>>?>(nil)
    let source = FakePagedSource { cursor, count in
      if count > 1, let repository = list.withLock({ $0 }) {
        let result =
          direction == .next
          ? await repository.goToNextPage() : await repository.goToPreviousPage()
        inner.withLock { $0.append(result) }
      }
      return .fromTheMiddle(cursor)
    }
    let repository = bench.repository(source)
    list.withLock { $0 = repository }
    defer { list.withLock { $0 = nil } }
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    let results = inner.withLock { $0 }
    #expect(results.contains(.skipped(.alreadyLoading)))
    #expect(results.allSatisfy { $0 == .skipped(.alreadyLoading) || $0 == .successful })
    #expect(source.list == (direction == .next ? [5, 6, 7, 8] : [3, 4, 5, 6, 7, 8]))
  }
}
