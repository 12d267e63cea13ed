import Evocation
public import Foundation

/// Describes a cache state in the closures of `CacheState.testing`, in any order.
///
/// `Fetched` is `Never` for a cache that was never fetched, and else `Date`.
///
/// ```swift
/// let shown = CacheState.testing.cache(requirements: requirements, lastTimeFetched: date) {
///   $0.cache([car]).fetching()
/// }
/// ```
public struct CacheStateBuilder<Cache: Sendable, Fetched>: Sendable {
  var draft: CacheState<Cache>
  /// The freshness that your test states.
  ///
  /// It takes precedence over the one of the draft.
  var freshness: Freshness?
  /// What your test states about further pages.
  var paging = PagingDraft()
  private var isSeenLater = false

  init(_ state: CacheState<Cache>) {
    draft = state
  }

  /// The described state.
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

  /// Sets the age of the cache.
  ///
  /// Two states that differ only in their age are equal.
  public func age(_ age: Duration) -> Self { adding { $0.draft.cacheAge = age } }

  /// Makes the state that a later observer receives: nothing has just finished.
  public func seenLater() -> Self { adding { $0.isSeenLater = true } }

  /// Makes the cache too old to count as fresh, or invalidated.
  public func cacheTooOld() -> Self { adding { $0.freshness = .stale } }

  /// Adds a running fetch.
  public func fetching() -> Self { adding { $0.draft.isRefreshing = true } }

  /// Adds a failure of the last fetch, which was not the first.
  public func failedFetch(_ error: any Error) -> Self { adding { $0.draft.refreshError = error } }

  /// Returns the builder after a change.
  func adding(_ change: (inout Self) -> Void) -> Self {
    var changed = self
    change(&changed)
    return changed
  }
}

extension CacheStateBuilder where Fetched == Never {
  /// Adds a running first fetch.
  public func fetchingFirstTime() -> Self {
    adding {
      $0.draft.isRefreshing = true
      $0.draft.isFirstFetch = true
    }
  }

  /// Adds a first fetch that has just failed.
  public func failedFirstFetch(_ error: any Error) -> Self {
    adding {
      $0.draft.refreshError = error
      $0.draft.justFinishedFirstFetch = true
    }
  }

  /// Adds a first fetch that has just succeeded.
  ///
  /// Pass nil for an empty cache.
  public func successfulFirstFetch(_ cache: Cache? = nil, timeFetched date: Date) -> Self {
    adding {
      $0.draft.state = .cache(cache, fetchedAt: date)
      $0.draft.freshness = .fresh
      $0.draft.justFinishedFirstFetch = true
      $0.draft.justFinishedSuccessfulFirstFetch = true
      $0.draft.justFinishedSuccessfulRefresh = true
    }
  }

  /// Adds a cache that is too old to be shown.
  public func cacheTooOldToShow() -> Self { adding { $0.freshness = .expired } }
}

extension CacheStateBuilder where Fetched == Date {
  /// Sets the content of the cache.
  public func cache(_ cache: Cache) -> Self { adding { $0.setContent(cache) } }

  /// Makes the cache empty.
  public func cacheEmpty() -> Self { adding { $0.setContent(nil) } }

  /// Makes the cache one that the repository has not read yet.
  public func reading() -> Self { adding { $0.draft.isReading = true } }

  /// Adds a fetch that has just succeeded, at this date if you pass one.
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
