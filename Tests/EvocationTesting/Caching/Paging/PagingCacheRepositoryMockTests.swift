import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct PagingCacheRepositoryMockTests {
  private typealias Mock = PagingCacheRepositoryMock<NumberPageSource>

  private let mock = Mock()
  /// The mock as the app knows it.
  private var cache: any PagingCacheProviding<NumberPageSource> { mock }

  private func state(_ number: Int) -> CacheState<PagedCache<[Int]>> {
    CacheState.testing.cache(tag: "numbers", lastTimeFetched: .distantPast) {
      $0.cache([number]).areMorePages()
    }
  }

  @Test func `A mock of a list records its pages, and runs the closure`() async {
    cache.requirements = "numbers"
    mock.onPage = { call in
      switch call {
      case .goToNextPage(true): .successful
      case .goToNextPage: .skipped(.lastPageFailed)
      case .goToPreviousPage(true): throw Refused()
      default: throw CancellationError()
      }
    }
    #expect(await cache.goToNextPage() == .successful)
    #expect(await cache.goToNextPage(continueWhenError: false) == .skipped(.lastPageFailed))
    #expect(await cache.goToPreviousPage() == .failed(Refused()))
    #expect(await cache.goToPreviousPage(continueWhenError: false) == .skipped(.cancelled))
    #expect(
      mock.calls == [
        .requirements("numbers"), .goToNextPage(continueWhenError: true),
        .goToNextPage(continueWhenError: false), .goToPreviousPage(continueWhenError: true),
        .goToPreviousPage(continueWhenError: false),
      ])
    #expect(mock.failures == [])
  }

  @Test func `A mock of a list also records and answers what every cache has`() async throws {
    cache.requirements = "numbers"
    mock.onRefresh = { $0 == .refresh(force: false) ? .skipped(.cacheNotTooOld) : .successful }
    mock.onValue = { $0 == .value(from: .both) ? [1] : [2] }
    mock.onCall = { _ in throw Refused() }
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.refreshIfNoCache() == .successful)
    #expect(try await cache.value() == [1])
    #expect(await cache.valueIfAvailable(from: .cache) == [2])
    await #expect(throws: Refused.self) { try await cache.update([3]) }
    await cache.validate()
    cache.rowAppeared(at: 7)
    #expect(mock.calls.suffix(3) == [.update([3]), .validate, .rowAppeared(at: 7)])
    #expect(mock.calls.count == 9)
  }

  @Test func `Without requirements a mock fails as a list does, and without a closure by its name`()
    async throws
  {
    let told = Lock<[MockFailure]>([])
    let mock = Mock { failure in told.withLock { $0.append(failure) } }
    let missing = CacheError.requirementsNotSet(cache: "Array<Int>")
    let repository = PagingCacheRepository(NumberPageSource(), ledger: InMemoryFetchLedger())
    let both: [any PagingCacheProviding<NumberPageSource>] = [mock, repository]
    for cache in both {
      #expect(await cache.goToNextPage() == .failed(missing))
      #expect(await cache.goToPreviousPage() == .failed(missing))
      await #expect(throws: missing) { try await cache.refresh() }
    }
    #expect(mock.failures == [])
    mock.requirements = "numbers"
    guard case .failed(let failure as MockFailure) = await mock.goToNextPage() else {
      Issue.record("A page was answered.")
      return
    }
    #expect(
      failure.description
        == "PagingCacheRepositoryMock<NumberPageSource> has no answer for goToNextPage; set onPage."
    )
    _ = await mock.goToPreviousPage()
    _ = try await mock.refresh()
    #expect(
      mock.failures.map(\.closure)
        == ["onPage", "onPage", "onRefresh"])
    #expect(Set(mock.failures.map(\.mock)) == ["PagingCacheRepositoryMock<NumberPageSource>"])
    #expect(told.withLock { $0 } == mock.failures)
  }

  @Test func `States are sent by hand`()
    async throws
  {
    mock.send(state(1))
    var late = mock.observe(forceRefresh: true).makeAsyncIterator()
    #expect(await late.next() == state(1))
    let (seen, arrivals) = AsyncStream.makeStream(of: [Int].self)
    let observation = cache.observe { arrivals.yield($0.cache?.cache ?? []) }
    await mock.observations(2)
    mock.send(state(2))
    #expect(await late.next() == state(2))
    var lists = seen.makeAsyncIterator()
    #expect(await lists.next() == [1])
    #expect(await lists.next() == [2])
    observation.cancel()
    mock.finish()
    #expect(await late.next() == nil)
    #expect(mock.calls == [.observe(forceRefresh: true), .observe(forceRefresh: false)])
  }
}
