/// An error of a cache; errors of its source reach you unchanged.
public enum CacheError: Error, Sendable, Hashable {
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

  /// Your app requested a further page before there was a list.
  case pageWithoutCache

  /// Your app requested a further page of a list whose first page failed.
  case pageOfFailedList

  /// The service's pages form a circle.
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

extension CacheError: CustomStringConvertible {
  /// One sentence: what failed, on which cache, why, and how to fix it.
  ///
  /// A tag may contain user data, so the sentence names the model and the keys of its criteria
  /// instead.
  public var description: String {
    switch self {
    case .requirementsNotSet(let cache):
      "The cache of \(cache) cannot be used yet: set its requirements first."
    case .tagConflict(_, let source, let other):
      "One tag is used by \(source) and by \(other) in one ledger: give one of them another tag, or "
        + "another ledger."
    case .intervalNotPositive(let cache):
      "The cache of \(cache) would be refreshed without a pause: give refreshEvery an interval above "
        + "zero, or nil."
    case .noCache(let tag):
      "There is no \(CacheName(tag: tag)): refresh it, or read from both the cache and its origin."
    case .cacheTooOld(let tag, let age?):
      "The \(CacheName(tag: tag)) is too old, \(age.brief): refresh it, or read from both the cache "
        + "and its origin."
    case .cacheTooOld(let tag, nil):
      "The \(CacheName(tag: tag)) is of unknown age: refresh it, or read from both the cache and "
        + "its origin."
    case .cleared(let tag):
      "The \(CacheName(tag: tag)) was cleared while it was waited for: read it again."
    case .outdatedFetch(let tag):
      "What was fetched for the \(CacheName(tag: tag)) was dropped by another fetch each time before "
        + "it was saved: refresh it again."
    case .notUpdatable(let source):
      "\(source) cannot save what the app gives it, because it fetches another type than it caches: "
        + "implement updateCache(_:requirements:stamp:)."
    case .noOrigin(let source):
      "\(source) has nowhere to fetch from: read from the cache."
    case .pageWithoutCache:
      "There is no list yet that a page could be added to: refresh it first."
    case .pageOfFailedList:
      "The list has failed, and nothing of it is loaded that a page could be added to: refresh it "
        + "first."
    case .repeatedPage(let tag):
      "The service leads in a circle through the pages of the \(CacheName(tag: tag)): what it calls "
        + "the next page was loaded before; the list ends here."
    case .unknownPage:
      "The list goes on with a page of another kind of paging than its source has now: refresh it "
        + "with force: true."
    case .noPageKey(let key, let tag):
      "The first page of the \(CacheName(tag: tag)) is full, and its answer has no \"\(key)\" that "
        + "says whether another follows: page it by the key or the header field that the service "
        + "gives, or by .number, .offset or .after."
    case .notListable(let model):
      "Lists of \(model) cannot be kept, because its id is not coded as one value: code it under the "
        + "key id."
    case .nestedWrite(let tag):
      "The \(CacheName(tag: tag)) was written inside its own save, which would wait for itself: write "
        + "it when the save has ended."
    case .nestedFetch(let tag):
      "The \(CacheName(tag: tag)) was to be fetched inside its own fetch, or inside one that it waits "
        + "for, which would wait for itself: read from the cache there, or fetch it afterwards."
    }
  }
}
