public import Foundation

/// What is cached before the test begins.
public struct InitialCacheState<Cache: Sendable>: Sendable {
  enum Content: Sendable {
    case none
    case empty(InitialCacheAge)
    case value(Cache, InitialCacheAge)
  }

  let content: Content

  /// Offers the states that a cache can begin in.
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

/// When a cache was last fetched, before the test begins.
public struct InitialCacheAge: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case justNow
    case tooOld
    case notTooOld
    case at(Date)
  }

  let kind: Kind

  /// Offers the times of the last fetch.
  public struct Choice: Sendable {
    /// Now, whether that counts as fresh or not.
    public func justFetched() -> InitialCacheAge { InitialCacheAge(kind: .justNow) }

    /// So long ago that it is refreshed as soon as it is observed, but may still be shown.
    ///
    /// Where the source has no maximum age, the cache is declared stale instead.
    public func cacheTooOld() -> InitialCacheAge { InitialCacheAge(kind: .tooOld) }

    /// Now, and fresh.
    public func cacheNotTooOld() -> InitialCacheAge { InitialCacheAge(kind: .notTooOld) }

    /// The cache was fetched at this date.
    public func lastFetched(_ date: Date) -> InitialCacheAge { InitialCacheAge(kind: .at(date)) }
  }
}

/// A cache cannot be put into the state that a test wants.
public enum InitialStateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The source's ages leave no room for it.
  case agesExclude(wish: String, source: String)

  /// There is no known way to make an empty cache of this type.
  case noEmptyCache(source: String)

  /// One sentence: which state is impossible, why, and the fix.
  public var description: String {
    switch self {
    case .agesExclude(let wish, let source):
      "\(source) can never have a cache that is \(wish), because of its maximum ages; "
        + "use lastFetched(_:), or give the source other ages."
    case .noEmptyCache(let source):
      "\(source) still has data after its cache was deleted; use cache(_:) with a value "
        + "that counts as empty."
    }
  }
}
