public import Foundation

/// When a cache is to have been fetched, before the test begins.
public struct InitialCacheAge: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case justNow
    case tooOld
    case notTooOld
    case at(Date)
  }

  let kind: Kind

  /// Says when a cache is to have been fetched.
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
