public import Foundation

/// An error of a cache; errors of its source reach you unchanged.
///
/// ```swift
/// do {
///   let cars = try await repository.value(from: .cache)
///   print("\(cars.count) cars")
/// } catch CacheError.noCache, CacheError.cacheTooOld {
///   print("nothing here is fresh")
/// }
/// ```
public enum CacheError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The repository was used before its requirements were set.
  case requirementsNotSet(cache: String)

  /// Sources of two types use one tag (the cache key) in one ledger.
  case tagConflict(tag: String, source: String, other: String)

  /// The source's `refreshEvery` is not above zero, so refreshes would follow without a pause.
  case intervalNotPositive(cache: String)

  /// There is no cache, and the call does not fetch.
  case noCache(tag: String)

  /// The cache is too old, and the call does not fetch.
  case cacheTooOld(tag: String, age: Duration?)

  /// The cache was cleared while the call waited for it.
  case cleared(tag: String)

  /// In each attempt, another fetch made the fetched data out of date before they were saved.
  case outdatedFetch(tag: String)

  /// The source cannot save a value that your app passes to `update(_:)`.
  case notUpdatable(source: String)

  /// The source has nowhere to fetch from.
  case noOrigin(source: String)

  /// A further page was asked for, and the list has no first page: it was never fetched, or that failed.
  case pageWithoutCache

  /// The service's pages lead in a circle.
  case repeatedPage(tag: String)

  /// The list continues with a page of a kind of paging that its source no longer has.
  case unknownPage

  /// The first page is full, and the answer does not have the key of the next page.
  case noPageKey(_ key: String, tag: String)

  /// Evocation cannot keep a list of these models, because their id is not encoded as one value.
  case notListable(model: String)

  /// A cache was written inside its own source's save.
  case nestedWrite(tag: String)

  /// A caller requested a fetch inside the same cache's fetch, or inside one that this fetch waits
  /// for.
  case nestedFetch(tag: String)
}
