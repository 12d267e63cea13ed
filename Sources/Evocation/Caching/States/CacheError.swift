/// An error of a cache; errors of its source pass through untouched.
public enum CacheError: Error, Sendable, Hashable {
  /// The repository was used before its requirements were set.
  case requirementsNotSet(cache: String)

  /// Sources of two types use one tag in one ledger.
  case tagConflict(tag: String, source: String, other: String)

  /// The cache is to be refreshed again and again without a pause.
  case intervalNotPositive(cache: String)

  /// There is no cache, and the call does not fetch one.
  case noCache(tag: String)

  /// The cache is too old, and the call does not fetch one.
  case cacheTooOld(tag: String, age: Duration?)

  /// The cache was cleared while the call waited for it.
  case cleared(tag: String)

  /// The pages that were to replace a list were deleted by another fetch, in each attempt.
  case outdatedFetch(tag: String)

  /// The source cannot save a value of the app.
  case notUpdatable(source: String)

  /// The source has nowhere to fetch from.
  case noOrigin(source: String)

  /// A further page was asked for, and the list has no first page: it was never fetched, or that failed.
  case pageWithoutCache

  /// The service's pages lead in a circle.
  case repeatedPage(tag: String)

  /// The list continues with a page of another kind of paging than the source's.
  case unknownPage

  /// A full page came without the key that leads to the next one.
  case noPageKey(_ key: String, tag: String)

  /// Models cannot be listed, because their id is not coded as one value.
  case notListable(model: String)

  /// A cache was written inside its own source's save.
  case nestedWrite(tag: String)

  /// A cache was asked for inside its own fetch, or inside one that it waits for.
  case nestedFetch(tag: String)
}
