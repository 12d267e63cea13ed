public import Evocation

/// A source that answers as a test tells it, and remembers how it was used.
///
/// ```swift
/// let source = CacheDataSourceMock<[Car], Criteria, [Car]>()
/// source.closures.fetchFreshCache = { _ in [car] }
/// let cars = CacheRepository(source, ledger: InMemoryFetchLedger())
/// cars.requirements = ["year": 1980]
/// #expect(try await cars.value() == [car])
/// #expect(source.calls.fetchFreshCache.callsCount == 1)
/// ```
///
/// It stands under a real `CacheRepository`, where the app's own source would be. What is saved is
/// held in memory and observed, where a fetch gives the same type as the cache;
/// ``SourceMock/send(_:requirements:)`` changes it by hand. A fetch has to be answered: without a
/// closure it fails with a ``MockFailure``, which is also in ``SourceMock/failures``. A closure may
/// wait, for a ``Gate`` for example. Safe to use from any thread.
public final class CacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements, FetchResult: Sendable
>: SourceMock {
  /// What the mock keeps of its use.
  public let base: MockedSource<Cache, Calls, Closures>

  /// Makes a mock without closures, that holds nothing.
  ///
  /// - Parameters:
  ///   - maxAge: How old a cache may be and still count as fresh.
  ///   - automaticallyRefresh: Whether a stale or missing cache is fetched when it is observed.
  ///   - onFailure: Is told of each failure at once; a test may record it as an issue.
  public init(
    maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    onFailure: (@Sendable (MockFailure) -> Void)? = nil
  ) {
    base = MockedSource(
      "\(Self.self)", Calls(), Closures(),
      .init(maxAge: maxAge, automaticallyRefresh: automaticallyRefresh), onFailure: onFailure)
  }
}

extension CacheDataSourceMock {
  /// Plays the closure.
  ///
  /// - Throws: What the closure throws, and ``MockFailure`` without one.
  public func fetchFreshCache(_ requirements: Requirements) async throws -> FetchResult {
    let closure = base.note(\.fetchFreshCache, requirements, \.fetchFreshCache)
    guard let closure else { throw base.failure("fetchFreshCache(_:)", "fetchFreshCache") }
    return try await closure(requirements)
  }

  /// Plays the closure, if there is one, and holds what was saved.
  public func saveCache(_ fetched: FetchResult, requirements: Requirements) async throws {
    let closure = base.note(\.saveCache, (fetched, requirements), \.saveCache)
    try await closure?(fetched, requirements)
    if let cache = fetched as? Cache { base.store.hold(cache, requirements.tag) }
  }

  /// Plays the closure, if there is one, and holds nothing any more.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {
    let closure = base.note(\.deleteCache, requirements, \.deleteCache)
    try await closure?(requirements)
    base.store.drop(requirements.tag)
  }

  /// Gives what the closure gives or, without one, what is held, now and as it changes.
  public func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error> {
    let closure = base.note(\.observeCache, requirements, \.observeCache)
    if let closure { return closure(requirements) }
    return base.observeHeld(requirements.tag, FetchResult.self)
  }

  /// Plays the closure or, without one, says whether a collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    let closure = base.note(\.isCacheEmpty, (cache, requirements), \.isCacheEmpty)
    if let closure { return closure(cache, requirements) }
    return (cache as? any Collection)?.isEmpty ?? false
  }
}
