import Evocation

/// What is said of a state, in any order.
public struct CacheStateBuilder<Cache: Sendable, Start>: Sendable {
  var draft: CacheState<Cache>
  /// What was said of the age, which stands against what follows from the rest.
  var freshness: Freshness?
  /// What was said of further pages.
  var paging = PagingDraft()
  private var isSeenLater = false

  init(_ state: CacheState<Cache>) {
    draft = state
  }

  /// The state that all of it makes.
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

  /// How old the cache is; two states of unlike age are equal.
  public func age(_ age: Duration) -> Self {
    adding { $0.draft.cacheAge = age }
  }

  /// The state as a late observer sees it: nothing has just finished.
  public func seenLater() -> Self {
    adding { $0.isSeenLater = true }
  }

  /// The cache is too old to count as fresh, or was invalidated.
  public func cacheTooOld() -> Self {
    adding { $0.freshness = .usable }
  }

  /// The state says that a fetch is running.
  public func fetching() -> Self {
    adding { $0.draft.isRefreshing = true }
  }

  /// The last fetch failed, and was not the first.
  public func failedFetch(_ error: any Error) -> Self {
    adding { $0.draft.refreshError = error }
  }

  /// The same with something more.
  func adding(_ change: (inout Self) -> Void) -> Self {
    var changed = self
    change(&changed)
    return changed
  }
}
