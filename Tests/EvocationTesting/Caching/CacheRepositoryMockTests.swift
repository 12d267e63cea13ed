import Evocation
import EvocationTesting
import Foundation
import Observation
import TestTraits
import Testing

/// A source whose every use is an issue.
private struct UntouchableSource: CacheDataSource {
  func fetchFreshCache(_ requirements: CacheTag) async throws -> [String] { throw touched() }
  func saveCache(_ fetched: [String], requirements: CacheTag) async throws { throw touched() }
  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    AsyncThrowingStream { $0.finish(throwing: touched()) }
  }

  private func touched() -> Unreachable {
    Issue.record("A mock touched its source.")
    return Unreachable()
  }
}

@Suite(.patient) struct CacheRepositoryMockTests {
  private typealias Mock = CacheRepositoryMock<UntouchableSource>

  private let mock = Mock()
  /// The mock as the app knows it.
  private var cache: any CacheProviding<UntouchableSource> { mock }

  @Test func `A mock's state is the one that was sent last`() {
    let list: any PagingCacheProviding<NumberPageSource> =
      PagingCacheRepositoryMock<NumberPageSource>()
    #expect(cache.state == nil)
    #expect(list.state == nil)
    mock.send(CacheState(.noCache, isRefreshing: true))
    mock.send(CacheState(.cache(["a"], fetchedAt: .distantPast)))
    #expect(cache.state?.cache == ["a"])
    #expect(cache.state?.isRefreshing == false)
  }

  @Test func `A copy of an iterator goes on where the other is`() async {
    mock.send(CacheState(.cache(["a"], fetchedAt: .distantPast)))
    var states = mock.observe().makeAsyncIterator()
    var copy = states
    #expect(await states.next()?.cache == ["a"])
    for word in ["b", "c"] { mock.send(CacheState(.cache([word], fetchedAt: .distantPast))) }
    #expect(await copy.next()?.cache == ["b"])
    #expect(await states.next()?.cache == ["c"])
  }

  @Test func `A mock records every use, plays closures, and throws without requirements`()
    async throws
  {
    #expect(mock.calls.isEmpty)
    await throwsWithoutRequirements(cache)
    #expect(mock.calls.count == 7)

    cache.requirements = "words"
    cache.requirements = "numbers"
    mock.onRefresh = { call in
      guard case .refresh(let force) = call else { throw Refused() }
      return force ? .successful : .skipped(.cacheNotTooOld)
    }
    mock.onValue = { call in
      guard case .value(let origin) = call else { return ["available"] }
      return ["\(origin)"]
    }
    mock.onCall = { if case .update = $0 { throw Refused() } }
    #expect(try await cache.refresh() == .skipped(.cacheNotTooOld))
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await cache.refreshIfNoCache() == .failed(Refused()))
    #expect(try await cache.value(from: .cache) == ["cache"])
    #expect(try await cache.value() == ["both"])
    #expect(await cache.valueIfAvailable() == ["available"])
    await #expect(throws: Refused.self) { try await cache.update(["a"]) }
    try await cache.clear()
    try await cache.invalidate()
    await cache.validate()
    #expect(
      mock.calls.dropFirst(7) == [
        .requirements("words"), .requirements("numbers"), .refresh(force: false),
        .refresh(force: true), .refreshIfNoCache, .value(from: .cache), .value(from: .both),
        .valueIfAvailable(from: .both), .update(["a"]), .clear, .invalidate, .validate,
      ])
    #expect(mock.failures == [])
  }

  @Test func `A repository without requirements throws the same`() async {
    await throwsWithoutRequirements(
      CacheRepository(UntouchableSource(), ledger: InMemoryFetchLedger()))
  }

  private func throwsWithoutRequirements(
    _ cache: any CacheProviding<UntouchableSource>
  ) async {
    let expected = CacheError.requirementsNotSet(cache: "Array<String>")
    await #expect(throws: expected) { try await cache.refresh() }
    await #expect(throws: expected) { try await cache.refreshIfNoCache() }
    await #expect(throws: expected) { try await cache.update(["a"]) }
    await #expect(throws: expected) { try await cache.clear() }
    await #expect(throws: expected) { try await cache.invalidate() }
    await #expect(throws: expected) { try await cache.value() }
    #expect(await cache.valueIfAvailable() == nil)
  }

  @Test func `A closure that is missing is a failure that names it`() async throws {
    let told = Lock<[MockFailure]>([])
    let mock = Mock { failure in told.withLock { $0.append(failure) } }
    mock.requirements = "words"
    let result = try await mock.refresh()
    guard case .failed(let failure as MockFailure) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(
      failure.description
        == "CacheRepositoryMock<UntouchableSource> has no answer for refresh; set onRefresh.")
    _ = try await mock.refreshIfNoCache()
    await #expect(throws: MockFailure.self) { try await mock.value() }
    #expect(await mock.valueIfAvailable() == nil)
    #expect(
      mock.failures.map(\.closure)
        == ["onRefresh", "onRefresh", "onValue", "onValue"])
    #expect(told.withLock { $0 } == mock.failures)
  }

  @Test func `An error of the cache passes through a refresh, another is its result`() async throws
  {
    mock.requirements = "words"
    let conflict = CacheError.tagConflict(tag: "words", source: "A", other: "B")
    mock.onRefresh = { throw $0 == .refresh(force: true) ? conflict : CancellationError() }
    await #expect(throws: conflict) { try await mock.refresh(force: true) }
    #expect(try await mock.refresh() == .skipped(.cancelled))
  }

  private func state(_ word: String) -> CacheState<[String]> {
    CacheState.testing.cache(tag: "words", lastTimeFetched: .distantPast) { $0.cache([word]) }
  }

  @Test func `States are sent by hand, the present one first to late comers, to the end`()
    async throws
  {
    let early = Task { [mock] in
      var seen: [String] = []
      for await state in mock.observe() { seen += state.cache ?? [] }
      return seen
    }
    await mock.observations(1)
    mock.send(state("a"))
    mock.send(state("b"))
    var late = mock.observe(forceRefresh: true).makeAsyncIterator()
    #expect(await late.next() == state("b"))
    mock.send(state("c"))
    #expect(await late.next() == state("c"))
    mock.finish()
    #expect(await late.next() == nil)
    #expect(await early.value == ["a", "b", "c"])
    var seen: [[String]?] = []
    for await state in cache.observe() { seen.append(state.cache) }
    #expect(seen == [["c"]])
    #expect(mock.calls == [false, true, false].map { .observe(forceRefresh: $0) })
  }

  @Test func `States are called back until the observation ends`() async {
    let (words, arrivals) = AsyncStream.makeStream(of: [String].self)
    let observation = cache.observe { arrivals.yield($0.cache ?? []) }
    await mock.observations(1)
    mock.send(state("a"))
    var iterator = words.makeAsyncIterator()
    #expect(await iterator.next() == ["a"])
    observation.cancel()
  }

  @Test func `Observing ends when the mock goes away, or the task is cancelled`() async throws {
    var mock: Mock? = Mock()
    var states = mock?.observe().makeAsyncIterator()
    mock?.send(state("a"))
    #expect(await states?.next() == state("a"))
    mock = nil
    #expect(await states?.next() == nil)
    let other = Mock()
    let task = Task { for await _ in other.observe() {} }
    await other.observations(1)
    task.cancel()
    await task.value
  }

  @Test @MainActor func `A view may observe a mock`() async {
    let observed = ObservedCache(mock)
    #expect(observed.state == nil)
    await mock.observations(1)
    let changed = Promise<Void>()
    withObservationTracking {
      _ = observed.state
    } onChange: {
      changed.fulfil(())
    }
    mock.send(state("a"))
    await changed.value
    #expect(observed.cache == ["a"])
  }
}
