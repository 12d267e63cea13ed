import Evocation

extension CacheDataSourceMock {
  /// How each member was used.
  public struct Calls: Sendable {
    /// What was fetched.
    public internal(set) var fetchFreshCache = MockCalls<Requirements>()

    /// What was saved, and as what.
    public internal(set) var saveCache = MockCalls<(FetchResult, Requirements)>()

    /// What was deleted.
    public internal(set) var deleteCache = MockCalls<Requirements>()

    /// What was observed, or read once.
    public internal(set) var observeCache = MockCalls<Requirements>()

    /// What was looked into.
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

  /// What each member plays.
  ///
  /// Only a fetch needs a closure, and observing where a fetch gives another type than the cache's. Set
  /// closures before the code under test runs.
  public struct Closures: Sendable {
    /// Answers a fetch.
    public var fetchFreshCache: (@Sendable (Requirements) async throws -> FetchResult)?

    /// Is given what is saved; what it throws is the failure of the save.
    public var saveCache: (@Sendable (FetchResult, Requirements) async throws -> Void)?

    /// Is run when the cache is deleted.
    public var deleteCache: (@Sendable (Requirements) async throws -> Void)?

    /// Gives what is saved, in place of what is held.
    public var observeCache: (@Sendable (Requirements) -> AsyncThrowingStream<Cache, any Error>)?

    /// Says whether there is nothing in a cache.
    public var isCacheEmpty: (@Sendable (Cache, Requirements) -> Bool)?
  }
}
