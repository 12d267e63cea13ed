public import Evocation
public import Foundation

/// Makes states for tests; use it as `CacheState.testing`.
///
/// Each member of a builder states one thing about the state, in any order. The result equals what
/// a repository shows in that situation. The caches of registered models have tags that their
/// source makes: pass such a tag as `tag: cars.source.tag(for: criteria)`.
public struct CacheStateTesting<Cache: Sendable>: Sendable {
  /// Builds a state in which there is no cache.
  public typealias NoCache = CacheStateBuilder<Cache, CacheStateStart.NoCache>

  /// Builds a state in which there is a cache.
  public typealias Existing = CacheStateBuilder<Cache, CacheStateStart.Existing>

  /// Makes the state of a cache that was never fetched successfully.
  public func noCache(
    requirements: some CacheRequirements, _ more: (NoCache) -> NoCache = { $0 }
  ) -> CacheState<Cache> {
    noCache(tag: requirements.tag, more)
  }

  /// Makes the state of a cache that was never fetched successfully, by its tag.
  public func noCache(
    tag: String?, _ more: (NoCache) -> NoCache = { $0 }
  ) -> CacheState<Cache> {
    more(NoCache(CacheState(.noCache, tag: tag))).state
  }

  /// Makes the state of a fetched cache, which is fresh, and empty unless content is given.
  public func cache(
    requirements: some CacheRequirements, lastTimeFetched date: Date,
    _ more: (Existing) -> Existing = { $0 }
  ) -> CacheState<Cache> {
    cache(tag: requirements.tag, lastTimeFetched: date, more)
  }

  /// Makes the state of a fetched cache, by its tag.
  public func cache(
    tag: String?, lastTimeFetched date: Date, _ more: (Existing) -> Existing = { $0 }
  ) -> CacheState<Cache> {
    more(Existing(CacheState(.cache(nil, fetchedAt: date), tag: tag, freshness: .fresh))).state
  }
}

extension CacheState {
  /// Makes any state that a repository may show, for tests of the code that shows it.
  ///
  /// ```swift
  /// let waiting: CacheState<[Car]> = CacheState.testing.noCache(requirements: requirements) {
  ///   $0.fetchingFirstTime()
  /// }
  /// let shown = CacheState.testing.cache(requirements: requirements, lastTimeFetched: date) {
  ///   $0.cache([car]).fetching()
  /// }
  /// ```
  public static var testing: CacheStateTesting<Cache> { CacheStateTesting() }
}
