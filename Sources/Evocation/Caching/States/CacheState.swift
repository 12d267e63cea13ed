public import Foundation

/// The cached data and the flags that a screen shows at one point in time.
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
/// The content and the fetch are independent of each other: the content stays while a refresh runs,
/// and after a refresh that failed.
public struct CacheState<Cache: Sendable>: Sendable, PlainlyPrinted {
  /// Whether there is a cache, and its content.
  public enum State: Sendable, PlainlyPrinted {
    /// The cache was never fetched successfully, was cleared, is too old, or could not be read.
    case noCache
    /// The content and its date; nil for an empty cache, and while ``CacheState/isReading``.
    case cache(Cache?, fetchedAt: Date)
  }

  /// Whether there is a cache, and its content.
  public var state: State

  /// The tag (the cache key) of the requirements; nil for a state that was made without one.
  public var tag: String?

  /// What the local store has of a cache that was never fetched and cannot be fetched now.
  ///
  /// It is there after the first fetch has failed, as offline, until one succeeds, and nil in any other
  /// state, and where the local store has nothing that matches. The server may have other models, and
  /// ``phase`` stays ``Phase/never``.
  public var local: Cache?

  /// Whether a fetch runs.
  public var isRefreshing: Bool

  /// Whether the first fetch runs: the cache was never fetched, or was cleared.
  public var isFirstFetch: Bool

  /// Whether the first fetch has just ended, successfully or not; true in one state only.
  public var justFinishedFirstFetch: Bool

  /// Whether the first fetch has just succeeded; true in one state only.
  public var justFinishedSuccessfulFirstFetch: Bool

  /// Whether a fetch, the first or a later one, has just succeeded; true in one state only.
  public var justFinishedSuccessfulRefresh: Bool

  /// The error of the last fetch or save, or of reading the saved data or the ledger.
  ///
  /// It is nil without an error. The error of a fetch also goes away when the next fetch begins.
  public var refreshError: (any Error)?

  /// How old the cache was when the state was made; nil without a cache, or for an unknown age.
  public var cacheAge: Duration?

  /// How fresh the cache was when the state was made; nil when it was never fetched.
  public var freshness: Freshness?

  /// Whether there is a cache whose content, or newest content, is still to be read.
  public var isReading: Bool

  /// Whether a list has pages after those that are loaded.
  public var areMorePages: Bool

  /// Whether a list has pages before those that are loaded.
  public var areMorePreviousPages: Bool

  /// Whether the next page can be loaded, is being loaded, or failed.
  public var next: AdditionalLoadingState

  /// Whether the previous page can be loaded, is being loaded, or failed.
  public var previous: AdditionalLoadingState

  /// Whether what is shown is kept up to date by what the service sends automatically.
  ///
  /// It is true only while a subscription is connected, and if the cache was fetched since changes were
  /// last missed. Such a cache does not grow old, and Evocation does not poll it. A list does grow old,
  /// because only the service knows which models it has; it is live until a model arrives that it may
  /// have to contain. A list is not live if it was fetched before the present observers, or if a window
  /// shows a part of it.
  public var isLive: Bool

  /// What the last fetch, of the cache or of a page, and its save tried, successful or not.
  ///
  /// It is nil before the first fetch in this process, after your app has written the cache, and
  /// after another process has fetched it. A state that combines several has the first trace. It
  /// does not count when states are compared.
  public var trace: Evocation.Trace?

  /// The part of the list that the content is; nil where the source does not say it.
  package var extent: CacheExtent?

  /// Whether a fetch begins with the next state, so that a screen already shows that it is loading.
  var isAwaited = false

  /// Creates a state, by default without flags and errors.
  public init(
    _ state: State, tag: String? = nil, isRefreshing: Bool = false, isFirstFetch: Bool = false,
    justFinishedFirstFetch: Bool = false, justFinishedSuccessfulFirstFetch: Bool = false,
    justFinishedSuccessfulRefresh: Bool = false, refreshError: (any Error)? = nil,
    cacheAge: Duration? = nil, freshness: Freshness? = nil, isReading: Bool = false,
    areMorePages: Bool = false, areMorePreviousPages: Bool = false,
    next: AdditionalLoadingState? = nil, previous: AdditionalLoadingState? = nil,
    isLive: Bool = false
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
    self.isLive = isLive
    self.next = next ?? .fixed(canRequestAdditionalData: areMorePages)
    self.previous = previous ?? .fixed(canRequestAdditionalData: areMorePreviousPages)
  }
}

extension CacheState {
  /// The content to show, apart from whether a fetch runs.
  public enum Phase: PlainlyPrinted {
    /// Nothing: the cache was never fetched, was cleared, has expired, or has not been read yet.
    ///
    /// If it could not be read, ``CacheState/refreshError`` says why.
    case never
    /// The cache is empty; it was fetched at this date.
    case empty(Date)
    /// The content, which was fetched at this date.
    case content(Cache, Date)
  }

  /// The content to show, apart from whether a fetch runs.
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
  /// Only one state has it, so use it for what happens once, such as hiding a spinner. A later
  /// fetch that fails is not an event: read its error from ``refreshError``.
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

  /// When the fetch of the cache began, or your app updated it; nil when there is none.
  public var fetchedAt: Date? {
    guard case .cache(_, let date) = state else { return nil }
    return date
  }

  /// Whether the cache is stale or expired; false when it was never fetched.
  public var isStale: Bool { freshness.map { $0 != .fresh } ?? false }
}

extension CacheState.Phase: Sendable where Cache: Sendable {}

extension CacheState.Phase: Equatable where Cache: Equatable {}

/// The end of a fetch, as ``CacheState/event`` reports it.
///
/// ```swift
/// switch state.event {
/// case .firstFetchSucceeded, .refreshSucceeded: show("just loaded")
/// case .firstFetchFailed: show("could not be loaded")
/// case nil: break
/// }
/// ```
public enum FetchEvent: String, Sendable, Hashable, CaseIterable, PlainlyPrinted {
  /// The first fetch ended with data.
  case firstFetchSucceeded
  /// The first fetch failed; ``CacheState/refreshError`` says why.
  case firstFetchFailed
  /// A later fetch ended with data.
  case refreshSucceeded
}

extension CacheState.State: Equatable where Cache: Equatable {
  /// Whether both have no cache, or caches of equal content and date.
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
  /// Two errors are equal when their types and descriptions are. The age does not count, because it
  /// changes with time.
  public static func == (left: Self, right: Self) -> Bool {
    left.state == right.state && left.local == right.local && left.isSameBesides(right)
  }
}

extension CacheState {
  /// Whether everything except content, date and age is equal; the closure compares errors.
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
      && isLive == other.isLive
      && next.isSame(as: other.next, areSame)
      && previous.isSame(as: other.previous, areSame)
      && extent == other.extent
  }
}

extension CacheState {
  /// The state as one of three cases: loading, completed, or an error.
  ///
  /// - A cache with a running fetch is loading, with its content.
  /// - A cache whose last fetch failed is an error, with its content, or what ``local`` has of it.
  /// - An empty collection, or an empty list of pages, is completed without elements. So is one
  ///   that was cleared or never fetched, where no fetch is about to begin.
  /// - Any other content has no empty value. Pass one to ``loadingState(emptyContent:)``; otherwise
  ///   an empty or missing cache is loading until the next fetch.
  /// - A state without a tag is loading, because it has no requirements yet.
  public var loadingState: LoadingState<Cache> {
    loadingState(emptyContent: (Cache.self as? any EmptyContent.Type)?.empty as? Cache)
  }

  /// Returns the state as one of three cases, with the content to show for an empty or missing
  /// cache.
  ///
  /// - Parameter emptyContent: The content to show for a cache that is empty, or that is missing
  ///   and is not being fetched, such as `[]`.
  /// - Returns: The case to show.
  public func loadingState(emptyContent: Cache?) -> LoadingState<Cache> {
    var content = cache
    if case .cache(nil, _) = state, !isReading { content = emptyContent }
    if isRefreshing { return .loading(content: content ?? local) }
    if let refreshError { return .error(refreshError, content: content ?? local) }
    if case .noCache = state, tag != nil, !isReading, !isAwaited { content = emptyContent }
    guard let content else { return .loading(content: nil) }
    return .completed(content: content, next: next, previous: previous)
  }
}

extension CacheState where Cache: RangeReplaceableCollection {
  /// The state as one of three cases; an empty or missing cache has an empty collection.
  ///
  /// A missing cache is completed where no fetch is about to begin.
  public var loadingState: LoadingState<Cache> { loadingState(emptyContent: Cache()) }
}

/// Content that is not itself a collection, and has an empty value.
private protocol EmptyContent {
  static var empty: Self { get }
}

extension PagedCache: EmptyContent where Cache: RangeReplaceableCollection {
  fileprivate static var empty: Self { PagedCache(Cache()) }
}
