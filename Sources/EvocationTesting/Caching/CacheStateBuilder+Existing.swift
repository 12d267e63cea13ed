import Evocation
public import Foundation

extension CacheStateBuilder where Start == CacheStateStart.Existing {
  /// The cache's content.
  public func cache(_ cache: Cache) -> Self {
    adding { $0.setContent(cache) }
  }

  /// There is nothing in the cache.
  public func cacheEmpty() -> Self {
    adding { $0.setContent(nil) }
  }

  /// The cache is there, and has not been read yet.
  public func reading() -> Self {
    adding { $0.draft.isReading = true }
  }

  /// A fetch has just succeeded, the last time at this date.
  public func successfulFetch(timeFetched date: Date? = nil) -> Self {
    adding {
      $0.draft.justFinishedSuccessfulRefresh = true
      guard let date else { return }
      $0.draft.state = .cache($0.draft.cache, fetchedAt: date)
    }
  }

  private mutating func setContent(_ cache: Cache?) {
    guard let date = draft.fetchedAt else { return }
    draft.state = .cache(cache, fetchedAt: date)
  }
}
