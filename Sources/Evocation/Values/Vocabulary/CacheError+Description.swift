internal import Foundation

extension CacheError {
  /// One sentence for the developer: what failed, on which cache, why, and the fix.
  ///
  /// A tag may hold user data, so the sentence names a cache by its model and the keys of its criteria.
  public var description: String { sentence.description }
}

extension CacheError {
  /// A sentence for the person who uses the app, without terms of Evocation and values of models.
  public var errorDescription: String? { alert.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  private var alert: AlertText {
    switch self {
    case .noCache, .cleared, .pageWithoutCache: .nothingToShow
    case .cacheTooOld: .tooOld
    case .outdatedFetch: .notPossibleNow
    case .requirementsNotSet, .tagConflict, .intervalNotPositive, .notUpdatable, .noOrigin,
      .repeatedPage, .unknownPage, .noPageKey, .notListable, .nestedWrite, .nestedFetch:
      .appFailed
    }
  }
}

extension CacheError {
  /// The problem and the fix.
  private var sentence: ErrorSentence {
    switch self {
    case .requirementsNotSet(let cache):
      ErrorSentence(
        "The cache of \(cache) does not know its query",
        fix: "set its requirements before you use it")
    case .tagConflict(_, let source, let other):
      ErrorSentence(
        "\(source) and \(other) use one tag in one ledger",
        fix: "give one of them another tag, or another ledger")
    case .intervalNotPositive(let cache):
      ErrorSentence(
        "The cache of \(cache) would refresh without a pause",
        fix: "set refreshEvery to an interval above zero, or to nil")
    case .noCache(let tag):
      ErrorSentence(
        "There is no \(CacheName(tag: tag))",
        fix: "refresh the cache, or read from both the cache and its origin")
    case .cacheTooOld(let tag, let age):
      ErrorSentence(
        "The \(CacheName(tag: tag)) is \(age.map { "too old, \($0.brief)" } ?? "of unknown age")",
        fix: "refresh the cache, or read from both the cache and its origin")
    case .cleared(let tag):
      ErrorSentence(
        "Another call cleared the \(CacheName(tag: tag)) while this call waited for it",
        fix: "read the cache again")
    case .outdatedFetch(let tag):
      ErrorSentence(
        "Another fetch moved the change token of the \(CacheName(tag: tag)) each time, before the "
          + "fetched changes were saved",
        fix: "refresh the cache again")
    case .notUpdatable(let source):
      ErrorSentence(
        "\(source) cannot save a value of your app, because it fetches another type than it caches",
        fix: "implement updateCache(_:requirements:stamp:)")
    case .noOrigin(let source):
      ErrorSentence("\(source) has no origin to fetch from", fix: "read from the cache")
    case .pageWithoutCache:
      ErrorSentence(
        "The list has no first page that another page could follow", fix: "refresh the list first")
    case .repeatedPage(let tag):
      ErrorSentence(
        "The server's pages of the \(CacheName(tag: tag)) form a circle, because it names a page as the "
          + "next one that the list already has, so the list ends here",
        fix: "let the server name no next page on its last page")
    case .unknownPage:
      ErrorSentence(
        "The stored list continues with another kind of page than its source has now",
        fix: "refresh the list with force: true")
    case .noPageKey(let key, let tag):
      ErrorSentence(
        "The first page of the \(CacheName(tag: tag)) is full, and its answer has no \"\(key)\" that "
          + "says whether another page follows",
        fix:
          "page the list by the key or the header field that the server sends, or by .number, .offset or "
          + ".after")
    case .notListable(let model):
      ErrorSentence(
        "Evocation cannot store lists of \(model), because its id is not coded as one value",
        fix: "code the id as one value")
    case .nestedWrite(let tag):
      ErrorSentence(
        "Your app wrote the \(CacheName(tag: tag)) inside its own save, which would wait for itself",
        fix: "write the cache after the save has ended")
    case .nestedFetch(let tag):
      ErrorSentence(
        "Your app asked for the \(CacheName(tag: tag)) inside its own fetch, or inside one that it waits "
          + "for, which would wait for itself",
        fix: "read from the cache there, or fetch the cache afterwards")
    }
  }
}
