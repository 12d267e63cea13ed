/// What is to be cached before the test begins.
public struct InitialCacheState<Cache: Sendable>: Sendable {
  enum Content: Sendable {
    case none
    case empty(InitialCacheAge)
    case value(Cache, InitialCacheAge)
  }

  let content: Content

  /// Says what is to be cached.
  public struct Choice: Sendable {
    /// Nothing, as before the first successful fetch.
    public func noCache() -> InitialCacheState {
      InitialCacheState(content: .none)
    }

    /// A cache with nothing in it; just fetched by default.
    public func cacheEmpty(
      _ age: (InitialCacheAge.Choice) -> InitialCacheAge = { $0.justFetched() }
    ) -> InitialCacheState {
      InitialCacheState(content: .empty(age(InitialCacheAge.Choice())))
    }

    /// A cache with something in it; just fetched by default.
    public func cache(
      _ cache: Cache,
      _ age: (InitialCacheAge.Choice) -> InitialCacheAge = { $0.justFetched() }
    ) -> InitialCacheState {
      InitialCacheState(content: .value(cache, age(InitialCacheAge.Choice())))
    }
  }
}
