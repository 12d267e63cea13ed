import Evocation
import EvocationTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct CacheObservingTests {
  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()

  private func repository(
    _ source: FakeSource, _ tag: String? = "words"
  ) -> CacheRepository<FakeSource> {
    let repository = CacheRepository(source, ledger: ledger, clock: clock)
    repository.requirements = tag.map { .init(tag: $0) }
    return repository
  }

  @Test func `The first fetch shows nothing, then refreshing, then success with its content`()
    async throws
  {
    let repository = repository(FakeSource())
    var states = repository.observe().makeAsyncIterator()
    let first = try #require(await states.next())
    #expect(first == CacheState(.noCache, tag: "words"))
    let second = try #require(await states.next())
    #expect(
      second == CacheState(.noCache, tag: "words", isRefreshing: true, isFirstFetch: true))
    let third = try #require(await states.next())
    #expect(third.cache == ["v1"])
    #expect(third.fetchedAt == clock.date)
    #expect(third.justFinishedFirstFetch)
    #expect(third.justFinishedSuccessfulFirstFetch)
    #expect(third.justFinishedSuccessfulRefresh)
    #expect(!third.isRefreshing)
    #expect(third.freshness == .fresh)
  }

  @Test func `A stale cache is shown first, then refreshing beside it, then the new content`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60))
    let repository = repository(source)
    #expect(try await repository.refresh() == .successful)
    clock.advance(by: .seconds(61))
    var states = repository.observe().makeAsyncIterator()
    let first = try #require(await states.next())
    #expect(first.cache == ["v1"])
    #expect(!first.isRefreshing)
    #expect(first.freshness == .usable)
    let second = try #require(await states.next())
    #expect(second.cache == ["v1"])
    #expect(second.isRefreshing)
    #expect(!second.isFirstFetch)
    let third = try #require(await states.next())
    #expect(third.cache == ["v2"])
    #expect(third.justFinishedSuccessfulRefresh)
    #expect(!third.justFinishedFirstFetch)
    source.write(["changed"])
    let fourth = try #require(await states.next())
    #expect(fourth.cache == ["changed"])
    #expect(!fourth.justFinishedSuccessfulRefresh)
    #expect(source.fetches == 2)
  }
}
