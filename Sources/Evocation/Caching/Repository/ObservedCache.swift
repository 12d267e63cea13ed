public import Observation

/// The state of a cache for a view, which SwiftUI draws again when the state changes.
///
/// ```swift
/// let cars = ObservedCache(
///   Evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .hours(5)))
/// ```
///
/// It belongs to the main actor, and keeps the repository. It begins to observe when a view first
/// reads it, and ends when it is released.
@MainActor @Observable
public final class ObservedCache<Source: CacheDataSource>: PlainlyPrinted {
  private var last: CacheState<Source.Cache>?

  /// The observed repository.
  @ObservationIgnored public let repository: any CacheProviding<Source>

  @ObservationIgnored private var task: Task<Void, Never>?

  @ObservationIgnored private let forcesRefresh: Bool

  /// Creates the state of a cache for a view; `forceRefresh` fetches it at any age.
  public init(_ repository: some CacheProviding<Source>, forceRefresh: Bool = false) {
    self.repository = repository
    forcesRefresh = forceRefresh
  }

  deinit { task?.cancel() }

  /// The last state; nil before the first.
  public var state: CacheState<Source.Cache>? {
    begin()
    return last
  }

  private func begin() {
    guard task == nil else { return }
    task = repository.following(forceRefresh: forcesRefresh) { [weak self] in
      self?.last = $0
      return self != nil
    }
  }

  /// The error of the last refresh; nil after a refresh that succeeded.
  public var error: (any Error)? { state?.refreshError }

  /// Whether a fetch of the cache runs.
  public var isRefreshing: Bool { state?.isRefreshing ?? false }

  /// Fetches the cache at any age, as pull-to-refresh does, and waits until it is shown or has
  /// failed.
  ///
  /// - Returns: How the refresh ended; ``error`` has its error too.
  @discardableResult
  public func refresh() async -> RefreshResult { await repository.pulled() }

  /// The content of the cache; nil when it is empty or there is none.
  public var cache: Source.Cache? { state?.cache }

  /// The state as loading, completed or an error.
  public var loadingState: LoadingState<Source.Cache> {
    state?.loadingState ?? .loading(content: nil)
  }
}

extension ObservedCache where Source.Requirements == Criteria {
  /// The query: which models to show; set another at any time, for example from a search field.
  public var criteria: Criteria? {
    get { repository.requirements }
    set { repository.requirements = newValue }
  }
}
