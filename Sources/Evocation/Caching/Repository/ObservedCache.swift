public import Observation

/// The state of a cache for a view, which is drawn again when it changes.
///
/// ```swift
/// let cars = ObservedCache(repository)
/// ```
///
/// It lives on the main actor and keeps the repository. Observing begins when it is made and ends
/// when it is released.
@MainActor @Observable
public final class ObservedCache<Source: CacheDataSource> {
  /// The last state; nil before the first.
  public private(set) var state: CacheState<Source.Cache>?

  /// The repository that is observed.
  @ObservationIgnored public let repository: any CacheProviding<Source>

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Begins to observe; with `forceRefresh` it fetches at any age.
  public init(_ repository: some CacheProviding<Source>, forceRefresh: Bool = false) {
    self.repository = repository
    let states = repository.observe(forceRefresh: forceRefresh)
    task = Task { [weak self] in
      for await state in states {
        guard let self else { return }
        self.state = state
      }
    }
  }

  deinit { task?.cancel() }

  /// Why the last refresh failed; nil after one that did not.
  public var error: (any Error)? { state?.refreshError }

  /// Whether the cache is being fetched.
  public var isRefreshing: Bool { state?.isRefreshing ?? false }

  /// Fetches the cache at any age, as a pull does, and returns when that is shown or has failed.
  ///
  /// - Returns: How it ended; the error is in ``error`` too.
  @discardableResult
  public func refresh() async -> RefreshResult { await repository.pulled() }

  /// The content of the cache; nil when it is empty or there is none.
  public var cache: Source.Cache? { state?.cache }

  /// The state as loading, completed or an error.
  public var loadingState: LoadingState<Source.Cache> {
    state?.loadingState ?? .loading(content: nil)
  }
}
