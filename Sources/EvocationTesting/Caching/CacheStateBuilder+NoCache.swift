import Evocation
public import Foundation

extension CacheStateBuilder where Start == CacheStateStart.NoCache {
  /// The first fetch runs.
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
    adding { $0.freshness = .unusable }
  }
}
