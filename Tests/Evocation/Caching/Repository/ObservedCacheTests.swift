import Evocation
import EvocationTesting
import Observation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// The state of a cache for a view.
@Suite(.patient) @MainActor struct CachingObservedTests {
  private let bench = CacheBench()

  /// Waits until what a view reads has changed.
  private func change(of cache: ObservedCache<FakeSource>) async {
    let changed = Gate.Counter()
    withObservationTracking {
      _ = cache.state
    } onChange: {
      changed.increase()
    }
    await changed.reach(1)
    // The change is announced before it is made, on this actor.
    await Task.yield()
  }

  @Test func `A view is told of each state until it lets go`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var cache: ObservedCache? = ObservedCache(repository)
    #expect(cache?.state == nil)
    #expect(cache?.loadingState == .loading(content: nil))
    while try #require(cache).cache != ["v1"] { await change(of: try #require(cache)) }
    #expect(cache?.state?.words == "yes/v1")
    #expect(
      cache?.loadingState == .completed(content: ["v1"], next: .noMorePages, previous: .noMorePages)
    )
    source.write(["edited"])
    while try #require(cache).cache != ["edited"] { await change(of: try #require(cache)) }
    weak let gone = cache
    cache = nil
    try await eventually("the released cache to go") { gone == nil }
  }

  @Test func `A view can force a refresh`() async throws {
    let repository = try await bench.fetched(FakeSource())
    let cache = ObservedCache(repository, forceRefresh: true)
    while cache.cache != ["v2"] { await change(of: cache) }
    #expect(cache.repository as? CacheRepository<FakeSource> === repository)
  }

  @Test func `A view refreshes at any age, and sees why that failed`() async throws {
    let fails = Lock(false)
    let source = FakeSource { count in
      if fails.withLock({ $0 }) { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let cache = ObservedCache(try await bench.fetched(source))
    #expect(await cache.refresh() == .successful)
    while cache.cache != ["v2"] || cache.isRefreshing { await change(of: cache) }
    #expect(cache.error == nil)
    fails.withLock { $0 = true }
    #expect(await cache.refresh() == .failed(Trouble.fetching))
    while cache.error == nil { await change(of: cache) }
    #expect(cache.error as? Trouble == .fetching)
    #expect(cache.cache == ["v2"])
  }
}
