public import Evocation
public import Foundation

extension CacheState {
  /// Creates every state that a repository can show, for tests of the code that shows it.
  ///
  /// ```swift
  /// let waiting: CacheState<[Car]> = CacheState.testing.noCache(requirements: requirements) {
  ///   $0.fetchingFirstTime()
  /// }
  /// let shown = CacheState.testing.cache(requirements: requirements, lastTimeFetched: date) {
  ///   $0.cache([car]).fetching()
  /// }
  /// ```
  public static var testing: StateTesting<CacheState<Cache>.Type> { StateTesting(Self.self) }
}

/// The order of the calls in the closures does not matter. The result equals the state that a
/// repository shows in this situation. The source of a registered model makes its cache keys: pass
/// `tag: cars.source.tag(for: criteria)` in place of the requirements.
extension StateTesting {
  /// Creates the state of a cache that was never fetched successfully.
  public func noCache<Cache>(
    requirements: some CacheRequirements,
    _ more: (CacheStateBuilder<Cache, Never>) -> CacheStateBuilder<Cache, Never> = { $0 }
  ) -> CacheState<Cache> where Subject == CacheState<Cache>.Type {
    noCache(tag: requirements.tag, more)
  }

  /// Creates the state of a cache that was never fetched successfully, by its tag (the cache key).
  public func noCache<Cache>(
    tag: String?,
    _ more: (CacheStateBuilder<Cache, Never>) -> CacheStateBuilder<Cache, Never> = { $0 }
  ) -> CacheState<Cache> where Subject == CacheState<Cache>.Type {
    more(CacheStateBuilder(CacheState(.noCache, tag: tag))).state
  }

  /// Creates the state of a fetched cache.
  ///
  /// It is fresh, and empty without content.
  public func cache<Cache>(
    requirements: some CacheRequirements, lastTimeFetched date: Date,
    _ more: (CacheStateBuilder<Cache, Date>) -> CacheStateBuilder<Cache, Date> = { $0 }
  ) -> CacheState<Cache> where Subject == CacheState<Cache>.Type {
    cache(tag: requirements.tag, lastTimeFetched: date, more)
  }

  /// Creates the state of a fetched cache, by its tag (the cache key).
  public func cache<Cache>(
    tag: String?, lastTimeFetched date: Date,
    _ more: (CacheStateBuilder<Cache, Date>) -> CacheStateBuilder<Cache, Date> = { $0 }
  ) -> CacheState<Cache> where Subject == CacheState<Cache>.Type {
    let state = CacheState<Cache>(.cache(nil, fetchedAt: date), tag: tag, freshness: .fresh)
    return more(CacheStateBuilder(state)).state
  }
}
