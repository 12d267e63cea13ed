public import Foundation

/// What a screen shows of cached data at one moment.
///
/// ```swift
/// switch state.phase {
/// case .never: showNothingYet()
/// case .empty: showEmpty()
/// case .content(let cars, let fetchedAt): show(cars, of: fetchedAt)
/// }
/// spinner.isVisible = state.isRefreshing
/// ```
///
/// The content and whether it is being fetched are independent of each other: content stays while
/// it is refreshed, and after a refresh that failed.
public struct CacheState<Cache: Sendable>: Sendable {
  /// Whether there is a cache, and its content.
  public enum State: Sendable {
    /// It was never fetched successfully, was cleared, or is too old to be shown.
    case noCache
    /// It was fetched at this date; nil when it is empty.
    case cache(Cache?, fetchedAt: Date)
  }

  /// Whether there is a cache, and its content.
  public var state: State

  /// The tag of the requirements; nil for a state that was made without one.
  public var tag: String?

  /// Whether it is being fetched now.
  public var isRefreshing: Bool

  /// Whether it is being fetched now for the first time.
  public var isFirstFetch: Bool

  /// Whether the first fetch has just ended, with or without success; true in one state only.
  public var justFinishedFirstFetch: Bool

  /// Whether the first fetch has just succeeded; true in one state only.
  public var justFinishedSuccessfulFirstFetch: Bool

  /// Whether a fetch, the first or a later one, has just succeeded; true in one state only.
  public var justFinishedSuccessfulRefresh: Bool

  /// The error of the last fetch, or of observing the store; nil once either succeeded.
  public var refreshError: (any Error)?

  /// How old the cache was when the state was made; nil without a cache or of unknown age.
  public var cacheAge: Duration?

  /// How fresh the cache was when the state was made; nil when it was never fetched.
  public var freshness: Freshness?

  /// Whether there is a cache whose content has not been read yet.
  public var isReading: Bool

  /// Whether a list has pages after those that are loaded.
  public var areMorePages: Bool

  /// Whether a list has pages before those that are loaded.
  public var areMorePreviousPages: Bool

  /// Whether the next page can be loaded, is being loaded, or failed.
  public var next: AdditionalLoadingState

  /// Whether the previous page can be loaded, is being loaded, or failed.
  public var previous: AdditionalLoadingState

  /// Which part of a list the content is, where the source says it.
  var extent: CacheExtent?

  /// Whether it is fetched from the next state on, so that a screen shows it as loading already.
  var isAwaited = false

  /// Makes a state, without flags and errors by default.
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
  /// What there is to show, apart from whether it is being fetched.
  public enum Phase {
    /// Nothing: it was never fetched successfully, was cleared, has expired, or is still being read.
    case never
    /// It was fetched at this date, and the answer was empty.
    case empty(Date)
    /// It was fetched at this date.
    case content(Cache, Date)
  }

  /// What there is to show, apart from whether it is being fetched.
  public var phase: Phase {
    switch state {
    case .noCache: .never
    case .cache(nil, _) where isReading: .never
    case .cache(nil, let date): .empty(date)
    case .cache(let cache?, let date): .content(cache, date)
    }
  }

  /// The fetch that has just ended; nil in every other state.
  ///
  /// It is set in one state only, so use it for what happens once, such as hiding a spinner. A later
  /// fetch that fails is no event: ``refreshError`` stays until one succeeds.
  public var event: FetchEvent? {
    if justFinishedFirstFetch {
      return justFinishedSuccessfulFirstFetch ? .firstFetchSucceeded : .firstFetchFailed
    }
    return justFinishedSuccessfulRefresh ? .refreshSucceeded : nil
  }

  /// The content of the cache; nil when it is empty or there is none.
  public var cache: Cache? {
    guard case .cache(let cache, _) = state else { return nil }
    return cache
  }

  /// When the fetch of the cache began; nil when there is none.
  public var fetchedAt: Date? {
    guard case .cache(_, let date) = state else { return nil }
    return date
  }

  /// Whether the cache is older than its maximum age, invalidated, or of unknown age.
  public var isStale: Bool { freshness.map { $0 != .fresh } ?? false }
}

/// Whether a cache is fresh, stale, or expired.
public enum Freshness: String, Sendable, Hashable, Codable, CaseIterable {
  /// Not older than the maximum age.
  case fresh
  /// Older, invalidated, or of unknown age; a screen shows it while it is refreshed.
  case stale
  /// Too old to be shown.
  case expired

  /// The former name of ``stale``.
  @available(*, deprecated, renamed: "stale")
  public static var usable: Freshness { .stale }

  /// The former name of ``expired``.
  @available(*, deprecated, renamed: "expired")
  public static var unusable: Freshness { .expired }
}

extension CacheState.Phase: Sendable where Cache: Sendable {}

extension CacheState.Phase: Equatable where Cache: Equatable {}

/// The end of a fetch, as ``CacheState/event`` has it.
public enum FetchEvent: String, Sendable, Hashable, CaseIterable {
  /// The first fetch ended with data.
  case firstFetchSucceeded
  /// The first fetch failed; ``CacheState/refreshError`` says why.
  case firstFetchFailed
  /// A later fetch ended with data.
  case refreshSucceeded
}

extension CacheState.State: Equatable where Cache: Equatable {
  /// Whether both are no cache, or caches of equal content and date.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.noCache, .noCache): true
    case (.cache(let left, let date), .cache(let right, let otherDate)):
      left == right && date == otherDate
    case (.noCache, _), (.cache, _): false
    }
  }
}

extension CacheState: Equatable where Cache: Equatable {
  /// Whether two states show the same: content, date, flags, tag and errors.
  ///
  /// Errors are equal when their types and descriptions are. The age is not compared, because it
  /// changes with time.
  public static func == (left: Self, right: Self) -> Bool {
    left.state == right.state && left.isSameBesides(right)
  }
}

extension CacheState {
  /// Whether all but content, date and age is equal; the closure compares errors.
  func isSameBesides(
    _ other: Self, _ areSame: ((any Error)?, (any Error)?) -> Bool = ErrorIdentity.areSame
  ) -> Bool {
    tag.map(ByteText.init) == other.tag.map(ByteText.init)
      && isRefreshing == other.isRefreshing
      && isFirstFetch == other.isFirstFetch
      && justFinishedFirstFetch == other.justFinishedFirstFetch
      && justFinishedSuccessfulFirstFetch == other.justFinishedSuccessfulFirstFetch
      && justFinishedSuccessfulRefresh == other.justFinishedSuccessfulRefresh
      && areSame(refreshError, other.refreshError)
      && freshness == other.freshness
      && isReading == other.isReading
      && areMorePages == other.areMorePages
      && areMorePreviousPages == other.areMorePreviousPages
      && next.isSame(as: other.next, areSame)
      && previous.isSame(as: other.previous, areSame)
      && extent == other.extent
  }
}

extension CacheState {
  /// The state as one of three cases: loading, completed, or an error.
  ///
  /// A cache that is refreshed is loading with its content; one whose last fetch failed is an error
  /// with its content. An empty collection, or an empty list of pages, is completed without elements,
  /// and so is one that was cleared or never fetched, where nobody fetches it. Any other content has
  /// no empty value: give one to ``loadingState(emptyContent:)``, or its cache is loading until it is
  /// fetched again. A state without a tag is loading, because nothing is asked for yet.
  public var loadingState: LoadingState<Cache> {
    loadingState(emptyContent: (Cache.self as? any EmptyContent.Type)?.empty as? Cache)
  }

  /// The state as one of three cases, with the content that stands for an empty cache or for none.
  ///
  /// - Parameter emptyContent: What to show of a cache that is empty, or is not there and is not being
  ///   fetched, such as `[]`.
  /// - Returns: The case to show.
  public func loadingState(emptyContent: Cache?) -> LoadingState<Cache> {
    var content = cache
    if case .cache(nil, _) = state, !isReading { content = emptyContent }
    if isRefreshing { return .loading(content: content) }
    if let refreshError { return .error(refreshError, content: content) }
    if case .noCache = state, tag != nil, !isReading, !isAwaited { content = emptyContent }
    guard let content else { return .loading(content: nil) }
    return .completed(content: content, next: next, previous: previous)
  }
}

extension CacheState where Cache: RangeReplaceableCollection {
  /// The state as one of three cases; a cache that is empty, or that is not there and is not being
  /// fetched, is completed with an empty collection.
  public var loadingState: LoadingState<Cache> { loadingState(emptyContent: Cache()) }
}

/// A content that is not a collection, and has an empty value.
private protocol EmptyContent {
  static var empty: Self { get }
}

extension PagedCache: EmptyContent where Cache: RangeReplaceableCollection {
  fileprivate static var empty: Self { PagedCache(Cache()) }
}
