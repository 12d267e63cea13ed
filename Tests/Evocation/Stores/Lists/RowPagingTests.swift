import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Pages that are asked for by the rows that appear.
@Suite(.patient) struct RowPagingTests {
  private let bench = PagingBench()
  private typealias Source = FakePagedSource<PageCursor>

  private func repository(_ source: Source, distance: Int) -> PagingCacheRepository<Source> {
    let repository = PagingCacheRepository(
      source, prefetchDistance: distance, ledger: bench.ledger, clock: bench.clock)
    repository.requirements = "numbers"
    return repository
  }

  private func list(_ numbers: [Int]) -> (CacheState<PagedCache<[Int]>>) -> Bool {
    { state in
      state.cache?.cache == numbers && state.next != .loading && state.previous != .loading
    }
  }

  @Test func `The next page is asked for when no more rows follow than the distance`() async throws
  {
    let source = Source { cursor, _ in
      let start = Int(cursor.cursor ?? "0") ?? 0
      return FetchedPage(Array(start..<start + 10), next: PageCursor("\(start + 10)"))
    }
    let repository = repository(source, distance: 3)
    var watch = Watch(repository.observe())
    _ = await watch.state(where: list(Array(0..<10)))
    for index in [0, 5, 10, 100, -1, .min, .max] { repository.rowAppeared(at: index) }
    #expect(source.fetched.count == 1)
    repository.rowAppeared(at: 6)
    _ = await watch.state(where: list(Array(0..<20)))
    // The list goes on, so that the same rows are far from its end.
    for index in 0..<16 { repository.rowAppeared(at: index) }
    #expect(source.fetched.count == 2)
    repository.rowAppeared(at: 19)
    _ = await watch.state(where: list(Array(0..<30)))
    #expect(source.fetched.count == 3)
  }

  @Test func `A page is asked for once, however many rows appear while it loads`() async throws {
    let gate = Gate()
    let source = Source { cursor, count in
      if count > 1 { try await gate.pass() }
      return .numbers(cursor)
    }
    let repository = repository(source, distance: 1)
    var watch = Watch(repository.observe())
    _ = await watch.state(where: list([1, 2]))
    for _ in 1...10 { repository.rowAppeared(at: 1) }
    #expect(await gate.arrivals(1))
    for _ in 1...10 { repository.rowAppeared(at: 1) }
    #expect(source.fetched.count == 2)
    gate.letOneThrough()
    _ = await watch.state(where: list([1, 2, 3, 4]))
    #expect(source.fetched.count == 2)
    repository.rowAppeared(at: 2)
    gate.open()
    _ = await watch.state(where: list([1, 2, 3, 4, 5, 6]))
    // There is no other page.
    repository.rowAppeared(at: 5)
    #expect(source.fetched.count == 3)
  }

  @Test func `A failed page waits until it is asked for, or the list is refreshed`() async throws {
    let fails = Lock(true)
    let source = Source { cursor, _ in
      if cursor != .start, fails.withLock({ $0 }) { throw Unreached() }
      return .numbers(cursor)
    }
    let repository = repository(source, distance: 0)
    var watch = Watch(repository.observe())
    _ = await watch.state(where: list([1, 2]))
    repository.rowAppeared(at: 1)
    _ = await watch.state { $0.next == .error(Unreached()) }
    for _ in 1...10 { repository.rowAppeared(at: 1) }
    #expect(await repository.goToNextPage(continueWhenError: false) == .skipped(.lastPageFailed))
    #expect(source.fetched.count == 2)
    #expect(try await repository.refresh(force: true) == .successful)
    repository.rowAppeared(at: 1)
    _ = await watch.state { $0.next == .loading }
    _ = await watch.state { $0.next == .error(Unreached()) }
    #expect(source.fetched.count == 4)
    fails.withLock { $0 = false }
    #expect(await repository.goToNextPage() == .successful)
    repository.rowAppeared(at: 3)
    _ = await watch.state(where: list([1, 2, 3, 4, 5, 6]))
  }

  @Test func `The previous page is asked for near the beginning`() async throws {
    let source = Source { cursor, _ in .fromTheMiddle(cursor) }
    let repository = repository(source, distance: 0)
    var watch = Watch(repository.observe())
    _ = await watch.state(where: list([5, 6]))
    repository.rowAppeared(at: 0)
    _ = await watch.state(where: list([3, 4, 5, 6]))
    #expect(source.fetched == [.start, PageCursor("b")])
    repository.rowAppeared(at: 3)
    _ = await watch.state(where: list([3, 4, 5, 6, 7, 8]))
  }

  @Test func `Nothing is asked for of a list that nobody observes`() async throws {
    let source = Source()
    let repository = repository(source, distance: 5)
    repository.rowAppeared(at: 0)
    try await repository.refresh()
    for index in 0..<2 { repository.rowAppeared(at: index) }
    #expect(await repository.goToNextPage() == .successful)
    #expect(source.fetched.count == 2)
  }

  @Test func `A row is found by its id near either end, and the window's place counts`()
    async throws
  {
    let evocation = Evocation(configuration: .init(clock: bench.clock))
    let service = ShiftingService((1...40).map { Listed($0) })
    evocation.register(for: Listed.self).repository(remote: service)
      .repository(local: InMemoryRepository<Listed>())
    let list = evocation.pagingCache(Listed.self, pageSize: 10)
    #expect(list.prefetchDistance == 5)
    list.requirements = Criteria()
    var watch = Watch(list.observe())
    _ = await watch.state { $0.cache?.cache.count == 10 && $0.next != .loading }
    list.rowAppeared(Listed(4))
    list.rowAppeared(Listed(99))
    #expect(service.asked.count == 1)
    list.rowAppeared(Listed(5))
    _ = await watch.state { $0.cache?.cache.count == 20 && $0.next != .loading }
    list.window = 0..<12
    _ = await watch.state { $0.cache?.range == 0..<12 }
    list.rowAppeared(at: 11)
    #expect(service.asked.count == 2)
    list.window = 6..<18
    _ = await watch.state { $0.cache?.range == 6..<18 }
    list.rowAppeared(at: 11)
    _ = await watch.state { $0.cache?.count == 30 && $0.next != .loading }
    #expect(service.asked.count == 3)
  }

  @Test func `A distance below zero is none`() {
    let evocation = Evocation()
    #expect(
      evocation.pagingCache(Listed.self, pageSize: 1, options: .init(prefetchDistance: -3))
        .prefetchDistance
        == 0)
    #expect(repository(Source(), distance: -1).prefetchDistance == 0)
    #expect(PagingCacheRepository(Source()).prefetchDistance == 10)
  }
}
