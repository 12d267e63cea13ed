public import Evocation
public import Foundation

/// Makes states for tests; it is reached as `CacheState.testing`.
///
/// A state is made of what is said of it, in any order: each of a builder's members adds to it. It
/// equals what a repository shows in that situation. A repository over a proxy has tags of its own
/// kind: give those as `tag: cars.source.tag(for: criteria)`.
public struct CacheStateTesting<Cache: Sendable>: Sendable {
  /// What is said of a state when there is no cache.
  public typealias NoCache = CacheStateBuilder<Cache, CacheStateStart.NoCache>

  /// What is said of a state when there is a cache.
  public typealias Existing = CacheStateBuilder<Cache, CacheStateStart.Existing>

  /// Makes a state of what was never fetched successfully.
  public func noCache(
    requirements: some CacheRequirements, _ more: (NoCache) -> NoCache = { $0 }
  ) -> CacheState<Cache> {
    noCache(tag: requirements.tag, more)
  }

  /// Makes a state of what was never fetched successfully, by its tag.
  public func noCache(
    tag: String?, _ more: (NoCache) -> NoCache = { $0 }
  ) -> CacheState<Cache> {
    more(NoCache(CacheState(.noCache, tag: tag))).state
  }

  /// Makes a state of what was fetched; it is fresh, and empty until it is told its content.
  public func cache(
    requirements: some CacheRequirements, lastTimeFetched date: Date,
    _ more: (Existing) -> Existing = { $0 }
  ) -> CacheState<Cache> {
    cache(tag: requirements.tag, lastTimeFetched: date, more)
  }

  /// Makes a state of what was fetched, by its tag.
  public func cache(
    tag: String?, lastTimeFetched date: Date, _ more: (Existing) -> Existing = { $0 }
  ) -> CacheState<Cache> {
    more(Existing(CacheState(.cache(nil, fetchedAt: date), tag: tag, freshness: .fresh))).state
  }
}
