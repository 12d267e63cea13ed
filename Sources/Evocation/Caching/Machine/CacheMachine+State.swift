import Foundation

extension CacheMachine {
  /// Whether there is something to show: what exists is shown once it has been read.
  func isPresentable(_ policy: CachePolicy) -> Bool {
    isLoaded && !isWaitingForOwnSave
      && (!exists(policy) || isCleared || isRead || isLate || readError != nil)
  }

  /// What a repository with this policy shows.
  func state(
    _ policy: CachePolicy, at now: CacheMoment, tag: String
  ) -> CacheState<Content> {
    let freshness = freshness(policy, at: now)
    var state = CacheState(
      shown(policy, freshness),
      tag: tag,
      isRefreshing: fetch != nil,
      isFirstFetch: fetch?.isFirst ?? false,
      justFinishedFirstFetch: finish?.isFirst ?? false,
      justFinishedSuccessfulFirstFetch: finish.map { $0.isFirst && $0.isSuccess } ?? false,
      justFinishedSuccessfulRefresh: finish?.isSuccess ?? false,
      refreshError: refreshError ?? readError ?? ledgerError,
      cacheAge: age(at: now),
      freshness: freshness,
      isReading: exists(policy) && !isCleared && (!isRead || isLate) && readError == nil,
      areMorePages: record?.pages?.next != nil,
      areMorePreviousPages: record?.pages?.previous != nil,
      next: pages.state(.next, record),
      previous: pages.state(.previous, record)
    )
    if case .value(_, let extent) = body, state.cache != nil { state.extent = extent }
    return state
  }

  private func shown(_ policy: CachePolicy, _ freshness: Freshness?) -> CacheState<Content>.State {
    guard let freshness, freshness != .unusable else { return .noCache }
    // Only a source without a fetch has a cache that was never stamped.
    let date = record?.fetchedAt ?? .distantPast
    guard case .value(let content, _) = body, !isCleared else {
      return .cache(nil, fetchedAt: date)
    }
    return .cache(content, fetchedAt: date)
  }

  /// How long it takes until ``timePassed(at:)`` has something to do; nil when it never has.
  func timeToNextEvent(at now: CacheMoment) -> Duration? {
    guard isLoaded, isObserved else { return nil }
    var ahead = [timeToNextWindow(at: now)]
    if isWaitingForFirstValue {
      ahead.append(readingSince.adding(Self.patience).subtracting(now.time))
    }
    if let readingFailedAt {
      ahead.append(readingFailedAt.adding(pauseBeforeReading).subtracting(now.time))
    }
    return ahead.compactMap(\.self).filter { $0 < .tooLongToSleep }.min()
  }

  private func timeToNextWindow(at now: CacheMoment) -> Duration? {
    guard let age = age(at: now) else { return nil }
    let ahead = observing.values.flatMap(\.policy.boundaries).filter { $0 >= age }
      .map { $0.subtracting(age) }
    // A cache exactly as old as it may be is still fresh.
    return ahead.min().map { $0.adding(.milliseconds(1)) }
  }
}
