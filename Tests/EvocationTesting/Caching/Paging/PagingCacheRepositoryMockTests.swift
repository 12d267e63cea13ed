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

  @Test func `A mock of a list records its pages, and plays closures`() async {
    cache.requirements = "numbers"
    #expect(mock.calls.requirements.invocations == ["numbers"])
    mock.closures.goToNextPage = { $0 ? .successful : .skipped(.lastPageFailed) }
    mock.closures.goToPreviousPage = { continueWhenError in
      if continueWhenError { throw Refused() }
      throw CancellationError()
    }
    #expect(await cache.goToNextPage() == .successful)
    #expect(await cache.goToNextPage(continueWhenError: false) == .skipped(.lastPageFailed))
    #expect(await cache.goToPreviousPage() == .failed(Refused()))
    #expect(await cache.goToPreviousPage(continueWhenError: false) == .skipped(.cancelled))
    #expect(mock.calls.goToNextPage.invocations == [true, false])
    #expect(mock.calls.goToPreviousPage.invocations == [true, false])
    #expect(mock.calls.callsCount == 5 && mock.calls.called)
    mock.resetCalls()
    #expect(!mock.calls.called && !mock.calls.goToNextPage.called)
    #expect(mock.failures == [])
  }

  @Test func `What any cache has is recorded and played too`() async throws {
    cache.requirements = "numbers"
    mock.closures.refresh = { $0 ? .successful : .skipped(.cacheNotTooOld) }
    mock.closures.refreshIfNoCache = { .successful }
    mock.closures.value = { _ in [1] }
    mock.closures.valueIfAvailable = { _ in [2] }
    mock.closures.update = { _ in throw Refused() }
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.refreshIfNoCache() == .successful)
    #expect(try await cache.value() == [1])
    #expect(await cache.valueIfAvailable(from: .cache) == [2])
    await #expect(throws: Refused.self) { try await cache.update([3]) }
    try await cache.clear()
    try await cache.invalidate()
    await cache.validate()
    #expect(mock.calls.refresh.invocations == [false, true])
    #expect(mock.calls.update.invocations == [[3]])
    #expect(mock.calls.valueIfAvailable.invocations == [.cache])
    #expect(mock.calls.callsCount == 10)
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
        == "PagingCacheRepositoryMock<NumberPageSource> has no answer for "
        + "goToNextPage(continueWhenError:); set closures.goToNextPage.")
    _ = await mock.goToPreviousPage()
    _ = try await mock.refresh()
    #expect(
      mock.failures.map(\.closure)
        == ["goToNextPage", "goToPreviousPage", "refresh"].map { "closures.\($0)" })
    #expect(Set(mock.failures.map(\.mock)) == ["PagingCacheRepositoryMock<NumberPageSource>"])
    #expect(told.withLock { $0 } == mock.failures)
  }

  @Test func `States are sent by hand, or given by a closure, with what they say of pages`()
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
    mock.closures.observe = { [given = state(3)] _ in
      AsyncStream {
        $0.yield(given)
        $0.finish()
      }
    }
    var given: [Bool] = []
    for await state in cache.observe() { given.append(state.areMorePages) }
    #expect(given == [true])
    #expect(mock.calls.observe.invocations == [true, false, false])
  }
}
