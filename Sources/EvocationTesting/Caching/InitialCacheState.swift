public import Foundation

/// The cache with which a test begins, which you describe in the closure of `initState`.
///
/// `Page` is the request for a page of a list, and `Never` for a cache that is loaded as a whole.
///
/// ```swift
/// try CacheRepository.testing.initState(repository: cars, requirements: requirements) {
///   $0.cache([car]) { $0.cacheTooOld() }
/// }
/// ```
public struct InitialCacheState<Cache: Sendable, Page: Sendable>: Sendable {
  enum Content: Sendable {
    case none
    case empty
    case value(Cache)
  }

  var content = Content.none
  var age = InitialCacheAge()
  var nextPage: Page?
  var previousPage: Page?

  /// Makes the cache one that was never fetched successfully.
  public func noCache() -> Self { Self() }

  /// Makes the cache empty.
  ///
  /// Without an age, it was just fetched.
  ///
  /// A list continues with the pages that you pass.
  public func cacheEmpty(
    nextPage: Page? = nil, previousPage: Page? = nil,
    _ age: (InitialCacheAge) -> InitialCacheAge = { $0 }
  ) -> Self {
    Self(
      content: .empty, age: age(InitialCacheAge()), nextPage: nextPage, previousPage: previousPage)
  }

  /// Sets the content of the cache.
  ///
  /// Without an age, it was just fetched.
  ///
  /// A list continues with the pages that you pass.
  public func cache(
    _ cache: Cache, nextPage: Page? = nil, previousPage: Page? = nil,
    _ age: (InitialCacheAge) -> InitialCacheAge = { $0 }
  ) -> Self {
    Self(
      content: .value(cache), age: age(InitialCacheAge()), nextPage: nextPage,
      previousPage: previousPage)
  }
}

/// The age of the cache with which a test begins.
///
/// Your test describes it in the inner closure of `initState`:
///
/// ```swift
/// try CacheRepository.testing.initState(repository: departures, requirements: berne) {
///   $0.cache([chur]) { $0.cacheNotTooOld() }
/// }
/// ```
public struct InitialCacheAge: Sendable {
  enum Fetched: Sendable {
    case justNow
    case tooOld
    case notTooOld
    case at(Date)
  }

  var fetched = Fetched.justNow

  /// Makes the date of the fetch now, whether that counts as fresh or not.
  public func justFetched() -> Self { Self(fetched: .justNow) }

  /// Makes the cache stale, and young enough to be shown.
  ///
  /// If the source has no maximum age, Evocation declares the cache stale instead.
  public func cacheTooOld() -> Self { Self(fetched: .tooOld) }

  /// Makes the date of the fetch now, and the cache fresh.
  public func cacheNotTooOld() -> Self { Self(fetched: .notTooOld) }

  /// Sets the date of the fetch.
  public func lastFetched(_ date: Date) -> Self { Self(fetched: .at(date)) }
}
