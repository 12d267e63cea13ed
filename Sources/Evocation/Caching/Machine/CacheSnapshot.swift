import Foundation

/// All values from which the states of a cache are computed, at one point in time.
struct CacheSnapshot<Content: Sendable>: Sendable {
  package let stored: CacheStored
  let live: CacheLive
  let body: CacheBody<Content>
  /// Whether it is not shown, because the saved content comes next.
  let isHeldBack: Bool
  /// Whether the content was read, or cannot be read now.
  let isSettled: Bool
  /// Whether a newer value is expected than the one that is shown.
  let isBehind: Bool
  /// Whether nothing is known of the content, because it could not be read.
  let isUnreadable: Bool
  /// The end of a fetch that has just ended.
  let finish: CacheLoad.Finish?
  let failure: CacheFailure?
  let loads: CacheLoads
  let trace: Evocation.Trace?
  /// Whether the fetch that observers need begins with the next snapshot.
  var isAwaited = false

  /// Whether there is something to show: a cache is shown once it has been read.
  func isPresentable(_ policy: CachePolicy) -> Bool {
    stored.isLoaded && !isHeldBack && (isSettled || stored.isCleared || !stored.exists(policy))
  }

  /// Returns the state that a repository with this policy shows.
  package func state(
    _ policy: CachePolicy, at now: CacheMoment, tag: String
  ) -> CacheState<Content> {
    let age = live.age(of: stored, policy, at: now)
    let freshness = stored.freshness(policy, age: age)
    let pages = stored.fetched?.record.pages
    let fetch = loads[.replacing].run
    var state = CacheState(
      shown(freshness, policy),
      tag: tag,
      isRefreshing: fetch != nil,
      isFirstFetch: fetch?.isFirst ?? false,
      justFinishedFirstFetch: finish?.isFirst ?? false,
      justFinishedSuccessfulFirstFetch: finish.map { $0.isFirst && $0.isSuccess } ?? false,
      justFinishedSuccessfulRefresh: finish?.isSuccess ?? false,
      refreshError: failure?.error,
      cacheAge: age,
      freshness: freshness,
      isReading: isBehind && !stored.isCleared && stored.exists(policy),
      areMorePages: pages?.next != nil,
      areMorePreviousPages: pages?.previous != nil,
      next: loads[.after].state(hasPage: pages?.next != nil),
      previous: loads[.before].state(hasPage: pages?.previous != nil),
      isLive: live.isCurrent(stored) && isShownWhole
    )
    state.trace = trace
    state.isAwaited = isAwaited
    if case .value(_, let extent) = body, state.cache != nil { state.extent = extent }
    if case .noCache = state.state, case .missing = stored { state.local = body.content?.value }
    return state
  }

  /// Whether a window shows all of a list, so that a model outside it counts as lacking.
  private var isShownWhole: Bool {
    guard case .value(_, let extent?) = body else { return true }
    return extent.range.count == extent.count
  }

  private func shown(
    _ freshness: Freshness?, _ policy: CachePolicy
  ) -> CacheState<Content>.State {
    guard let freshness, freshness != .expired, !isUnreadable || stored.isCleared else {
      return .noCache
    }
    // Only a source that fetches nothing has a cache without a record.
    let date = stored.fetched?.record.date(mirroring: policy.mirrors) ?? .distantPast
    guard case .value(let content, _) = body, !stored.isCleared else {
      return .cache(nil, fetchedAt: date)
    }
    return .cache(content.value, fetchedAt: date)
  }

  /// The numbers of contents and errors, to compare them without their `==`, which is the app's
  /// code.
  struct Marks: Equatable {
    var content: UInt64?
    var failure: UInt64?
    var next: UInt64?
    var previous: UInt64?
  }

  /// Returns the marks of the content and the errors that a state of this snapshot shows.
  func marks(of state: CacheState<Content>) -> Marks {
    Marks(
      content: (state.cache ?? state.local) == nil ? nil : body.content?.number,
      failure: failure?.number,
      next: loads[.after].failure?.number, previous: loads[.before].failure?.number)
  }
}
