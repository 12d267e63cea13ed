import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct PagingInterruptionTests {
  /// What happens to a list while a page of it is loaded.
  enum Event: CaseIterable {
    case otherRequirements
    case noRequirements
    case clear
    case update
    case clearLedger
  }

  private let bench = PagingBench()

  @Test(arguments: Event.allCases, [false, true])
  func `A page is dropped when its list goes while it is loaded`(
    event: Event, isObserved: Bool
  ) async throws {
    let gate = Gate()
    let source = FakePagedSource(automaticallyRefresh: false) { cursor, count in
      if count == 2 { await PagingBench.passUncancelled(gate) }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    let observation = isObserved ? repository.observe { _ in } : nil
    async let page = repository.goToNextPage()
    await gate.arrivals(1)
    switch event {
    case .otherRequirements: repository.requirements = "others"
    case .noRequirements: repository.requirements = nil
    case .clear: try await repository.clear()
    case .update: try await repository.update([9])
    case .clearLedger: try await bench.ledger.clear()
    }
    #expect(await page == .skipped(.cancelled))
    gate.open()
    observation?.cancel()
    repository.requirements = "numbers"
    switch event {
    case .otherRequirements, .noRequirements:
      #expect(try await bench.present(repository).next == .fixed(canRequestAdditionalData: true))
      #expect(await repository.goToNextPage() == .successful)
      #expect(source.list == [1, 2, 3, 4])
    case .clear, .clearLedger:
      #expect(await repository.goToNextPage() == .failed(CacheError.pageWithoutCache))
      #expect(try await repository.refresh() == .successful)
      #expect(source.list == [1, 2])
    case .update:
      #expect(await repository.goToNextPage() == .skipped(.noMorePages))
      #expect(try await bench.present(repository).cache == PagedCache([9]))
    }
  }

  @Test func `A caller who is cancelled is told so, and the page can be asked for again`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource { cursor, count in
      if count == 2 { try await gate.pass() }
      return .numbers(cursor)
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    let caller = Task { await repository.goToNextPage() }
    await gate.arrivals(1)
    caller.cancel()
    #expect(await caller.value == .skipped(.cancelled))
    #expect(try await bench.present(repository).next == .fixed(canRequestAdditionalData: true))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.list == [1, 2, 3, 4])
  }

  @Test func `A page whose caller leaves while it is saved is saved, and the list goes on`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource(saved: { save in
      if save.numbers == [3, 4] { try await gate.pass() }
    })
    let repository = bench.repository(source)
    try await repository.refresh()
    var states = repository.observe().makeAsyncIterator()
    #expect(await states.next()?.cache?.cache == [1, 2])
    let caller = Task { await repository.goToNextPage() }
    await gate.arrivals(1)
    caller.cancel()
    #expect(await caller.value == .skipped(.cancelled))
    #expect(await states.next()?.next == .loading)
    gate.open()
    #expect(
      await states.next()?.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.fetched.map(\.cursor) == [nil, "b", "c"])
  }

  @Test func `A page that the store tells of before its save ends is shown once, with its end`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource(saved: { save in
      if save.place == .after { try await gate.pass() }
    })
    let repository = bench.repository(source)
    try await repository.refresh()
    var states = repository.observe().makeAsyncIterator()
    _ = await states.next()
    async let page = repository.goToNextPage()
    await gate.arrivals(1)
    // The store has told already. Whoever looks at what it tells once more has taken that.
    source.tellAgain()
    try await eventually("the second look at the page") {
      source.looks.count { $0 == [1, 2, 3, 4] } == 2
    }
    gate.open()
    #expect(await page == .successful)
    #expect(
      await states.next()?.cache == PagedCache([1, 2], areMorePages: true, next: .loading))
    #expect(await states.next()?.cache == PagedCache([1, 2, 3, 4], areMorePages: true))
  }

  @Test func `Empty pages with more to come are passed over, ten at most at a time`()
    async throws
  {
    let source = FakePagedSource(first: PageNumber(0)) { page, _ in
      switch page.number {
      case 0: FetchedPage([1], next: 1)
      case 1..<25: FetchedPage([], next: page.next)
      default: FetchedPage([2])
      }
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    for count in [11, 21] {
      #expect(await repository.goToNextPage() == .successful)
      #expect(source.fetched.count == count)
      #expect(try await bench.present(repository).cache == PagedCache([1], areMorePages: true))
    }
    // Where the list goes on is kept.
    #expect(await bench.repository(source).goToNextPage() == .successful)
    #expect(source.list == [1, 2])
    #expect(source.fetched.map(\.number) == Array(0...25))
    #expect(await repository.goToNextPage() == .skipped(.noMorePages))
  }

  @Test func `A caller who leaves while an empty page is saved ends the search after it`()
    async throws
  {
    let gate = Gate()
    let source = FakePagedSource(
      first: PageNumber(0),
      saved: { save in if save.numbers.isEmpty { try await gate.pass() } },
      fetch: { page, _ in FetchedPage(page == 0 ? [1] : [], next: page.next) })
    let repository = bench.repository(source)
    try await repository.refresh()
    let caller = Task { await repository.goToNextPage() }
    await gate.arrivals(1)
    caller.cancel()
    #expect(await caller.value == .skipped(.cancelled))
    gate.open()
    let idle = await repository.observe().first { $0.next != .loading }
    #expect(idle?.cache == PagedCache([1], areMorePages: true))
    #expect(source.fetched == [0, 1])
  }

  @Test func `A service that leads in a circle is found out, and the list stays`() async throws {
    let source = FakePagedSource { cursor, count in
      FetchedPage([count], next: PageCursor(cursor.cursor == "a" ? "b" : "a"))
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    var results: [PageResult] = []
    for _ in 0..<10 where results.allSatisfy({ $0 == .successful }) {
      results.append(await repository.goToNextPage())
    }
    let error = CacheError.repeatedPage(tag: "numbers")
    #expect(results.last == .failed(error))
    #expect(results.count < 8)
    let state = try await bench.present(repository)
    #expect(state.cache?.cache == Array(1...results.count))
    #expect(state.next == .error(error))
  }

  @Test func `Empty pages that lead in a circle end with the same error`() async throws {
    let source = FakePagedSource { cursor, _ in
      FetchedPage(cursor == .start ? [1] : [], next: PageCursor("a"))
    }
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(
      await repository.goToNextPage() == .failed(CacheError.repeatedPage(tag: "numbers")))
    #expect(source.list == [1])
  }

  @Test func `Two repositories that both begin with the first page cut the list once`()
    async throws
  {
    let source = FakePagedSource()
    let repository = bench.repository(source)
    try await repository.refresh()
    #expect(await repository.goToNextPage() == .successful)
    let relaunched = try await bench.relaunched()
    let cuts = (0..<4).map { _ in relaunched.repository(source, keepsPages: false) }
    await withTaskGroup(of: PageResult.self) { group in
      for cut in cuts { group.addTask { await cut.goToNextPage() } }
      for await result in group { #expect(result != .failed(Unreached())) }
    }
    #expect(source.cuts == 1)
    // Those who asked while a page was loaded have joined it.
    let pages = source.fetched.count - 2
    #expect(source.list == Array(1...(2 + 2 * pages)))
  }
}
