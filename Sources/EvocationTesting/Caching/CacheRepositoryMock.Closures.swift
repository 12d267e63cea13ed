public import Evocation

extension CacheRepositoryMock {
  /// What each member plays.
  ///
  /// Members that answer nothing need no closure. Set closures before the code under test runs.
  public struct Closures: Sendable {
    /// Gives the states, in place of those that are sent by hand.
    public var observe:
      (@Sendable (_ forceRefresh: Bool) -> any AsyncSequence<CacheState<Source.Cache>, Never>)?

    /// Answers a refresh; what it throws is the failure of the fetch.
    public var refresh: (@Sendable (_ force: Bool) async throws -> RefreshResult)?

    /// Answers a refresh of what was never fetched.
    public var refreshIfNoCache: (@Sendable () async throws -> RefreshResult)?

    /// Is run by a validation.
    public var validate: (@Sendable () async -> Void)?

    /// Is given what is put into the cache.
    public var update: (@Sendable (Source.Cache?) async throws -> Void)?

    /// Is run by a clearing.
    public var clear: (@Sendable () async throws -> Void)?

    /// Is run by an invalidation.
    public var invalidate: (@Sendable () async throws -> Void)?

    /// Gives the value.
    public var value: (@Sendable (CacheOrigin) async throws -> Source.Cache)?

    /// Gives the value, or nil.
    public var valueIfAvailable: (@Sendable (CacheOrigin) async -> Source.Cache?)?
  }
}
