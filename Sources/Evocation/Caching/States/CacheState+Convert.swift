extension CacheState {
  /// The same state with other content.
  ///
  /// The closure is given what is in the cache, nil when it is empty, and answers what takes its
  /// place. It is not called when there is no cache.
  public func convert<New: Sendable>(
    _ transform: (Cache?) throws -> New?
  ) rethrows -> CacheState<New> {
    switch state {
    case .noCache: with(.noCache)
    case .cache(let cache, let date): with(.cache(try transform(cache), fetchedAt: date))
    }
  }

  func with<New: Sendable>(_ state: CacheState<New>.State) -> CacheState<New> {
    CacheState<New>(
      state, tag: tag, isRefreshing: isRefreshing, isFirstFetch: isFirstFetch,
      justFinishedFirstFetch: justFinishedFirstFetch,
      justFinishedSuccessfulFirstFetch: justFinishedSuccessfulFirstFetch,
      justFinishedSuccessfulRefresh: justFinishedSuccessfulRefresh, refreshError: refreshError,
      cacheAge: cacheAge, freshness: freshness, isReading: isReading, areMorePages: areMorePages,
      areMorePreviousPages: areMorePreviousPages, next: next, previous: previous
    )
  }
}
