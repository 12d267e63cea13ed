import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct PagedStateBuilderTests {
  private typealias Existing = CacheStateBuilder<PagedCache<[Int]>, Date>

  private let clock = ManualClock()

  private func list(_ more: (Existing) -> Existing) -> CacheState<PagedCache<[Int]>> {
    CacheState.testing.cache(tag: "numbers", lastTimeFetched: clock.date, more)
  }

  @Test func `A built state equals what a list shows in that situation`() async throws {
    let source = NumberPageSource { if $0 == 2 { throw Refused() } }
    let numbers = PagingCacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    numbers.requirements = "numbers"
    try await numbers.refresh()
    var states = numbers.observe().makeAsyncIterator()
    #expect(
      await states.next() == list { $0.areMorePreviousPages().cache([5, 6]).areMorePages() })
    #expect(await numbers.goToNextPage() == .successful)
    #expect(
      await states.next()
        == list { $0.areMorePreviousPages().cache([5, 6]).loadingNextPage() })
    #expect(
      await states.next()
        == list { $0.areMorePages().areMorePreviousPages().cache([5, 6, 7, 8]) })
    #expect(await numbers.goToPreviousPage() == .failed(Refused()))
    #expect(
      await states.next()
        == list { $0.loadingPreviousPage().cache([5, 6, 7, 8]).areMorePages() })
    #expect(
      await states.next()
        == list { $0.failedPreviousPage(Refused()).cache([5, 6, 7, 8]).areMorePages() })
    #expect(await numbers.goToNextPage() == .successful)
    _ = await states.next()
    #expect(
      await states.next()
        == list { $0.failedPreviousPage(Refused()).cache([5, 6, 7, 8, 9, 10]) })
  }

  @Test func `A list without further pages says so, and one that is empty may have some`() {
    let whole = list { $0.cache([1]) }
    #expect(whole.cache == PagedCache([1]))
    #expect(!whole.areMorePages && whole.next == .noMorePages)
    let empty = list { $0.failedNextPage(Refused()) }
    #expect(empty.cache == nil)
    #expect(empty.areMorePages && empty.next == .error(Refused()))
    #expect(!empty.areMorePreviousPages)
  }

  @Test func `What content says of its pages holds, unless more was said, in any order`() {
    let content = PagedCache(
      [1], areMorePages: true, areMorePreviousPages: true, previous: .error(Refused()))
    let state = list { $0.cache(content) }
    #expect(state.cache == content)
    #expect(state.areMorePages && state.areMorePreviousPages)
    #expect(state.previous == .error(Refused()))
    let loading = list { $0.loadingPreviousPage().cache(content) }
    #expect(loading == list { $0.cache(content).loadingPreviousPage() })
    #expect(loading.cache?.previous == .loading)
    #expect(loading.next == .fixed(canRequestAdditionalData: true))
  }

  @Test func `The list without its pages beside it says the same of them`() {
    let state: CacheState<[Int]> = CacheState.testing.cache(
      tag: "numbers", lastTimeFetched: clock.date
    ) { $0.cache([1]).loadingNextPage() }
    #expect(
      state
        == CacheState(
          .cache([1], fetchedAt: clock.date), tag: "numbers", freshness: .fresh,
          areMorePages: true, next: .loading))
  }
}
