extension CacheState {
  /// Returns the same state with other content.
  ///
  /// The closure receives the content, nil for an empty cache, and returns the new content. When
  /// there is no cache, it is called for what ``local`` has of it, if anything.
  public func convert<New: Sendable>(
    _ transform: (Cache?) throws -> New?
  ) rethrows -> CacheState<New> {
    switch state {
    case .noCache:
      var new: CacheState<New> = with(.noCache)
      if let local { new.local = try transform(local) }
      return new
    case .cache(let cache, let date): return with(.cache(try transform(cache), fetchedAt: date))
    }
  }

  func with<New: Sendable>(_ state: CacheState<New>.State) -> CacheState<New> {
    var new = CacheState<New>(
      state, tag: tag, isRefreshing: isRefreshing, isFirstFetch: isFirstFetch,
      justFinishedFirstFetch: justFinishedFirstFetch,
      justFinishedSuccessfulFirstFetch: justFinishedSuccessfulFirstFetch,
      justFinishedSuccessfulRefresh: justFinishedSuccessfulRefresh, refreshError: refreshError,
      cacheAge: cacheAge, freshness: freshness, isReading: isReading, areMorePages: areMorePages,
      areMorePreviousPages: areMorePreviousPages, next: next, previous: previous,
      isLive: isLive)
    new.trace = trace
    new.extent = extent
    new.isAwaited = isAwaited
    return new
  }
}

extension CacheState {
  /// Returns the states of two caches as one.
  ///
  /// There is a cache when both have one, with the age of the older. It is empty when one of them
  /// is empty, and live when both are. It is refreshing when one of them is, and has the first error
  /// of the two. The closure combines the two contents into one.
  public func combine<Other: Sendable, New: Sendable>(
    _ other: CacheState<Other>, _ transform: (Cache, Other) throws -> New
  ) rethrows -> CacheState<New> {
    let all = try state.combine(other.state, transform)
    var both = CacheState<New>(
      all,
      tag: [tag, other.tag].compactMap(\.self).joined(separator: ", ").nilWhenEmpty,
      isRefreshing: isRefreshing || other.isRefreshing,
      isFirstFetch: isFirstFetch || other.isFirstFetch,
      justFinishedFirstFetch: justFinishedFirstFetch || other.justFinishedFirstFetch,
      justFinishedSuccessfulFirstFetch: justFinishedSuccessfulFirstFetch
        || other.justFinishedSuccessfulFirstFetch,
      justFinishedSuccessfulRefresh: justFinishedSuccessfulRefresh
        || other.justFinishedSuccessfulRefresh,
      refreshError: refreshError ?? other.refreshError,
      cacheAge: [cacheAge, other.cacheAge].compactMap(\.self).max(),
      freshness: Freshness.worse(freshness, other.freshness),
      isReading: isReading || other.isReading,
      areMorePages: areMorePages || other.areMorePages,
      areMorePreviousPages: areMorePreviousPages || other.areMorePreviousPages,
      next: next.combined(with: other.next),
      previous: previous.combined(with: other.previous),
      isLive: isLive && other.isLive
    )
    both.trace = trace ?? other.trace
    if case .noCache = all, let left = cache ?? local, let right = other.cache ?? other.local {
      both.local = try transform(left, right)
    }
    both.isAwaited = isAwaited || other.isAwaited
    return both
  }

  /// Returns the states of three caches as one.
  public func combine<Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: CacheState<Second>, _ third: CacheState<Third>,
    _ transform: (Cache, Second, Third) throws -> New
  ) rethrows -> CacheState<New> {
    try combine(second) { ($0, $1) }.combine(third) { try transform($0.0, $0.1, $1) }
  }

  /// Returns the states of four caches as one.
  public func combine<Second: Sendable, Third: Sendable, Fourth: Sendable, New: Sendable>(
    _ second: CacheState<Second>, _ third: CacheState<Third>, _ fourth: CacheState<Fourth>,
    _ transform: (Cache, Second, Third, Fourth) throws -> New
  ) rethrows -> CacheState<New> {
    try combine(second, third) { ($0, $1, $2) }
      .combine(fourth) { try transform($0.0, $0.1, $0.2, $1) }
  }

  /// Returns the states of five caches as one.
  public func combine<
    Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable, New: Sendable
  >(
    _ second: CacheState<Second>, _ third: CacheState<Third>, _ fourth: CacheState<Fourth>,
    _ fifth: CacheState<Fifth>, _ transform: (Cache, Second, Third, Fourth, Fifth) throws -> New
  ) rethrows -> CacheState<New> {
    try combine(second, third, fourth) { ($0, $1, $2, $3) }
      .combine(fifth) { try transform($0.0, $0.1, $0.2, $0.3, $1) }
  }
}

extension CacheState.State {
  fileprivate func combine<Other: Sendable, New: Sendable>(
    _ other: CacheState<Other>.State, _ transform: (Cache, Other) throws -> New
  ) rethrows -> CacheState<New>.State {
    guard case .cache(let left, let date) = self, case .cache(let right, let otherDate) = other
    else { return .noCache }
    guard let left, let right else { return .cache(nil, fetchedAt: min(date, otherDate)) }
    return .cache(try transform(left, right), fetchedAt: min(date, otherDate))
  }
}

extension Freshness {
  /// Returns the less fresh of two; nil where neither cache was fetched.
  fileprivate static func worse(_ left: Self?, _ right: Self?) -> Self? {
    allCases.last { $0 == left || $0 == right }
  }
}

extension String {
  fileprivate var nilWhenEmpty: String? { isEmpty ? nil : self }
}

extension CacheState {
  /// The same state for later use, when no fetch has just ended.
  var settled: Self {
    var state = self
    state.justFinishedFirstFetch = false
    state.justFinishedSuccessfulFirstFetch = false
    state.justFinishedSuccessfulRefresh = false
    return state
  }
}
