public import Foundation

/// What a screen has to know of cached data at one moment.
///
/// ```swift
/// switch state.state {
/// case .noCache: showNothingYet()
/// case .cache(nil, _): showEmpty()
/// case .cache(let cars?, let fetchedAt): show(cars, of: fetchedAt)
/// }
/// spinner.isVisible = state.isRefreshing
/// ```
///
/// What is cached and whether it is being fetched are independent of each other: content stays
/// while it is refreshed, and after a refresh that failed.
public struct CacheState<Cache: Sendable>: Sendable {
  /// Whether there is a cache, and what is in it.
  public enum State: Sendable {
    /// It was never fetched successfully, was cleared, or is too old to be shown.
    case noCache
    /// It was fetched then; nil when nothing is in it.
    case cache(Cache?, fetchedAt: Date)
  }

  /// Whether there is a cache, and what is in it.
  public var state: State

  /// The tag of the requirements; nil for a state that was made without.
  public var tag: String?

  /// Whether it is being fetched now.
  public var isRefreshing: Bool

  /// Whether it is being fetched now and never was before.
  public var isFirstFetch: Bool

  /// Whether the first fetch has just ended, in whichever way; true in one state only.
  public var justFinishedFirstFetch: Bool

  /// Whether the first fetch has just succeeded; true in one state only.
  public var justFinishedSuccessfulFirstFetch: Bool

  /// Whether a fetch, the first or a later one, has just succeeded; true in one state only.
  public var justFinishedSuccessfulRefresh: Bool

  /// Why the last fetch, or observing what is saved, failed; nil once either succeeded.
  public var refreshError: (any Error)?

  /// How old the cache was when the state was made; nil without a cache or of unknown age.
  public var cacheAge: Duration?

  /// Which window the age lay in when the state was made; nil when never fetched.
  public var freshness: Freshness?

  /// Whether there is a cache that has not been read yet, so that its content is not known.
  public var isReading: Bool

  /// Whether a list that is loaded page by page has pages after what is there.
  public var areMorePages: Bool

  /// Whether a list that is loaded page by page has pages before what is there.
  public var areMorePreviousPages: Bool

  /// How the loading of the next pages stands.
  public var next: AdditionalLoadingState

  /// How the loading of the previous pages stands.
  public var previous: AdditionalLoadingState

  /// Makes a state; what is left out is off.
  public init(
    _ state: State, tag: String? = nil, isRefreshing: Bool = false, isFirstFetch: Bool = false,
    justFinishedFirstFetch: Bool = false, justFinishedSuccessfulFirstFetch: Bool = false,
    justFinishedSuccessfulRefresh: Bool = false, refreshError: (any Error)? = nil,
    cacheAge: Duration? = nil, freshness: Freshness? = nil, isReading: Bool = false,
    areMorePages: Bool = false, areMorePreviousPages: Bool = false,
    next: AdditionalLoadingState? = nil, previous: AdditionalLoadingState? = nil
  ) {
    self.state = state
    self.tag = tag
    self.isRefreshing = isRefreshing
    self.isFirstFetch = isFirstFetch
    self.justFinishedFirstFetch = justFinishedFirstFetch
    self.justFinishedSuccessfulFirstFetch = justFinishedSuccessfulFirstFetch
    self.justFinishedSuccessfulRefresh = justFinishedSuccessfulRefresh
    self.refreshError = refreshError
    self.cacheAge = cacheAge
    self.freshness = freshness
    self.isReading = isReading
    self.areMorePages = areMorePages
    self.areMorePreviousPages = areMorePreviousPages
    self.next = next ?? .fixed(canRequestAdditionalData: areMorePages)
    self.previous = previous ?? .fixed(canRequestAdditionalData: areMorePreviousPages)
  }
}

extension CacheState {
  /// What is in the cache; nil when it is empty or there is none.
  public var cache: Cache? {
    guard case .cache(let cache, _) = state else { return nil }
    return cache
  }

  /// When the cache was fetched; nil when there is none.
  public var fetchedAt: Date? {
    guard case .cache(_, let date) = state else { return nil }
    return date
  }

  /// Whether the cache is older than its maximum age, invalidated, or of unknown age.
  public var isStale: Bool { freshness.map { $0 != .fresh } ?? false }
}
