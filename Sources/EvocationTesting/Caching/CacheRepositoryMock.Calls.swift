public import Evocation

extension CacheRepositoryMock {
  /// How each member was used.
  public struct Calls: Sendable {
    /// What the requirements were set to.
    public internal(set) var requirements = MockCalls<Source.Requirements?>()

    /// Whether each observation was to force a refresh.
    public internal(set) var observe = MockCalls<Bool>()

    /// Whether each refresh was forced.
    public internal(set) var refresh = MockCalls<Bool>()

    /// The refreshes of what was never fetched.
    public internal(set) var refreshIfNoCache = MockCalls<Void>()

    /// The validations.
    public internal(set) var validate = MockCalls<Void>()

    /// What was to be put into the cache.
    public internal(set) var update = MockCalls<Source.Cache?>()

    /// The clearings.
    public internal(set) var clear = MockCalls<Void>()

    /// The invalidations.
    public internal(set) var invalidate = MockCalls<Void>()

    /// Where each value was to come from.
    public internal(set) var value = MockCalls<CacheOrigin>()

    /// Where each value, if available, was to come from.
    public internal(set) var valueIfAvailable = MockCalls<CacheOrigin>()

    /// How often any member was used.
    public var callsCount: Int {
      [
        requirements.callsCount, observe.callsCount, refresh.callsCount,
        refreshIfNoCache.callsCount, validate.callsCount, update.callsCount, clear.callsCount,
        invalidate.callsCount, value.callsCount, valueIfAvailable.callsCount,
      ].reduce(0, +)
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }
}
