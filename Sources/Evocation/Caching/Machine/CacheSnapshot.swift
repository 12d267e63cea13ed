import Foundation

/// What a machine publishes: all that the states of a cache follow from, as it was at one moment.
struct CacheSnapshot<Content: Sendable>: Sendable {
  let stored: CacheStored
  let body: CacheBody<Content>
  /// Whether nothing is shown for now, because what was saved comes next.
  let isHeldBack: Bool
  /// Whether the content, or that it cannot be had now, is known.
  let isSettled: Bool
  /// Whether there is content to come that is not shown yet.
  let isBehind: Bool
  /// Whether it is being fetched, and for the first time; nil when it is not.
  let isFirstFetch: Bool?
  /// How a fetch ended that has just done so.
  let finish: CacheRefresh.Finish?
  let failure: CacheFailure?
  let loads: PageLoads

  /// Whether there is something to show: what exists is shown once it has been read.
  func isPresentable(_ policy: CachePolicy) -> Bool {
    stored.isLoaded && !isHeldBack && (isSettled || stored.isCleared || !stored.exists(policy))
  }

  /// What a repository with this policy shows.
  func state(
    _ policy: CachePolicy, at now: CacheMoment, tag: String
  ) -> CacheState<Content> {
    let freshness = stored.freshness(policy, at: now)
    let pages = stored.fetched?.record.pages
    var state = CacheState(
      shown(freshness),
      tag: tag,
      isRefreshing: isFirstFetch != nil,
      isFirstFetch: isFirstFetch ?? false,
      justFinishedFirstFetch: finish?.isFirst ?? false,
      justFinishedSuccessfulFirstFetch: finish.map { $0.isFirst && $0.isSuccess } ?? false,
      justFinishedSuccessfulRefresh: finish?.isSuccess ?? false,
      refreshError: failure?.error,
      cacheAge: stored.age(at: now),
      freshness: freshness,
      isReading: isBehind && !stored.isCleared && stored.exists(policy),
      areMorePages: pages?.next != nil,
      areMorePreviousPages: pages?.previous != nil,
      next: loads.state(.next, pages),
      previous: loads.state(.previous, pages)
    )
    if case .value(_, let extent) = body, state.cache != nil { state.extent = extent }
    return state
  }

  private func shown(_ freshness: Freshness?) -> CacheState<Content>.State {
    guard let freshness, freshness != .unusable else { return .noCache }
    // Only a source without a fetch has a cache that was never stamped.
    let date = stored.fetched?.record.fetchedAt ?? .distantPast
    guard case .value(let content, _) = body, !stored.isCleared else {
      return .cache(nil, fetchedAt: date)
    }
    return .cache(content.value, fetchedAt: date)
  }

  /// By which contents and errors are known again, since an app's own code would compare them.
  struct Marks: Equatable {
    var content: UInt64?
    var failure: UInt64?
    var next: UInt64?
    var previous: UInt64?
  }

  /// The marks of what a state of this snapshot shows.
  func marks(of state: CacheState<Content>) -> Marks {
    Marks(
      content: state.cache == nil ? nil : body.content?.number, failure: failure?.number,
      next: loads.failureNumber(.next), previous: loads.failureNumber(.previous))
  }
}
