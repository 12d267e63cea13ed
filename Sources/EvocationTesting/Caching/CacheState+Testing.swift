public import Evocation

extension CacheState {
  /// Makes any state that a repository may show, for the tests of what shows it.
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
