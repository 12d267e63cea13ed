public import Evocation

/// A source that answers by a test's closures, and records how it was used.
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
/// It takes the place of the app's source under a real `CacheRepository`. Where a fetch gives the
/// same type as the cache, what is saved is held in memory and observed, and
/// ``SourceMock/send(_:requirements:)`` changes it. Without a closure a fetch fails with a
/// ``MockFailure``, which is recorded in ``SourceMock/failures``. A closure may wait, for a
/// ``Gate`` for example. Safe to use from any thread.
public final class CacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements, FetchResult: Sendable
>: SourceMock {
  /// The mock's settings, closures and recorded calls.
  public let base: MockedSource<Cache, Calls, Closures>

  /// Makes a mock that has no closures and holds nothing.
  ///
  /// - Parameters:
  ///   - maxAge: How old a cache may be and still count as fresh.
  ///   - automaticallyRefresh: Whether a stale or missing cache is fetched when it is observed.
  ///   - onFailure: Called at once with each failure; a test may record it as an issue.
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
  /// Runs the closure.
  ///
  /// - Throws: What the closure throws, and ``MockFailure`` without one.
  public func fetchFreshCache(_ requirements: Requirements) async throws -> FetchResult {
    let closure = base.note(\.fetchFreshCache, requirements, \.fetchFreshCache)
    guard let closure else { throw base.failure("fetchFreshCache(_:)", "fetchFreshCache") }
    return try await closure(requirements)
  }

  /// Runs the closure, if there is one, and holds what was saved.
  public func saveCache(_ fetched: FetchResult, requirements: Requirements) async throws {
    let closure = base.note(\.saveCache, (fetched, requirements), \.saveCache)
    try await closure?(fetched, requirements)
    if let cache = fetched as? Cache { base.store.hold(cache, requirements.tag) }
  }

  /// Runs the closure, if there is one, and drops what is held.
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

  /// Runs the closure or, without one, says whether a collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    let closure = base.note(\.isCacheEmpty, (cache, requirements), \.isCacheEmpty)
    if let closure { return closure(cache, requirements) }
    return (cache as? any Collection)?.isEmpty ?? false
  }
}

extension CacheDataSourceMock {
  /// How each member was used.
  public struct Calls: Sendable {
    /// What was fetched.
    public internal(set) var fetchFreshCache = MockCalls<Requirements>()

    /// What was saved, and for which requirements.
    public internal(set) var saveCache = MockCalls<(FetchResult, Requirements)>()

    /// What was deleted.
    public internal(set) var deleteCache = MockCalls<Requirements>()

    /// What was observed, or read once.
    public internal(set) var observeCache = MockCalls<Requirements>()

    /// What was checked for being empty.
    public internal(set) var isCacheEmpty = MockCalls<(Cache, Requirements)>()

    /// How often any member was used.
    public var callsCount: Int {
      [
        fetchFreshCache.callsCount, saveCache.callsCount, deleteCache.callsCount,
        observeCache.callsCount, isCacheEmpty.callsCount,
      ].reduce(0, +)
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }

  /// The closures that the members run.
  ///
  /// A fetch needs a closure; so does observing where a fetch gives another type than the cache.
  /// Set closures before the code under test runs.
  public struct Closures: Sendable {
    /// Answers a fetch.
    public var fetchFreshCache: (@Sendable (Requirements) async throws -> FetchResult)?

    /// Receives what is saved; an error that it throws is the error of the save.
    public var saveCache: (@Sendable (FetchResult, Requirements) async throws -> Void)?

    /// Runs when the cache is deleted.
    public var deleteCache: (@Sendable (Requirements) async throws -> Void)?

    /// Gives what is observed, in place of what is held.
    public var observeCache: (@Sendable (Requirements) -> AsyncThrowingStream<Cache, any Error>)?

    /// Says whether there is nothing in a cache.
    public var isCacheEmpty: (@Sendable (Cache, Requirements) -> Bool)?
  }
}
