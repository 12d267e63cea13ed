import Evocation
public import Foundation

/// Builds a cache state from statements about it, in any order.
public struct CacheStateBuilder<Cache: Sendable, Start>: Sendable {
  var draft: CacheState<Cache>
  /// The freshness that was stated; it wins over the one that follows from the rest.
  var freshness: Freshness?
  /// What was stated about further pages.
  var paging = PagingDraft()
  private var isSeenLater = false

  init(_ state: CacheState<Cache>) {
    draft = state
  }

  /// The state that has all of it.
  var state: CacheState<Cache> {
    var state = draft
    if let freshness { state.freshness = freshness }
    paging.complete(&state)
    guard isSeenLater else { return state }
    state.justFinishedFirstFetch = false
    state.justFinishedSuccessfulFirstFetch = false
    state.justFinishedSuccessfulRefresh = false
    return state
  }

  /// The cache has this age; two states that differ in the age alone are equal.
  public func age(_ age: Duration) -> Self {
    adding { $0.draft.cacheAge = age }
  }

  /// The state is as a late observer sees it: nothing has just finished.
  public func seenLater() -> Self {
    adding { $0.isSeenLater = true }
  }

  /// The cache is too old to count as fresh, or was invalidated.
  public func cacheTooOld() -> Self {
    adding { $0.freshness = .stale }
  }

  /// A fetch is running.
  public func fetching() -> Self {
    adding { $0.draft.isRefreshing = true }
  }

  /// The last fetch failed, and was not the first.
  public func failedFetch(_ error: any Error) -> Self {
    adding { $0.draft.refreshError = error }
  }

  /// The same builder after a change.
  func adding(_ change: (inout Self) -> Void) -> Self {
    var changed = self
    change(&changed)
    return changed
  }
}

/// What the state of a ``CacheStateBuilder`` begins with.
public enum CacheStateStart {
  /// The state begins without a cache.
  public enum NoCache {}
  /// The state begins with a cache.
  public enum Existing {}
}

extension CacheStateBuilder where Start == CacheStateStart.NoCache {
  /// The first fetch is running.
  public func fetchingFirstTime() -> Self {
    adding {
      $0.draft.isRefreshing = true
      $0.draft.isFirstFetch = true
    }
  }

  /// The first fetch has just failed.
  public func failedFirstFetch(_ error: any Error) -> Self {
    adding {
      $0.draft.refreshError = error
      $0.draft.justFinishedFirstFetch = true
    }
  }

  /// The first fetch has just succeeded; nil is for a cache with nothing in it.
  public func successfulFirstFetch(_ cache: Cache? = nil, timeFetched date: Date) -> Self {
    adding {
      $0.draft.state = .cache(cache, fetchedAt: date)
      $0.draft.freshness = .fresh
      $0.draft.justFinishedFirstFetch = true
      $0.draft.justFinishedSuccessfulFirstFetch = true
      $0.draft.justFinishedSuccessfulRefresh = true
    }
  }

  /// There is a cache, so old that it is not shown.
  public func cacheTooOldToShow() -> Self {
    adding { $0.freshness = .expired }
  }
}

extension CacheStateBuilder where Start == CacheStateStart.Existing {
  /// The cache has this content.
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

  /// A fetch has just succeeded, at this date where it is given.
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
