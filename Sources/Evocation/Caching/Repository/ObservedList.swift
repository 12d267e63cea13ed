public import Observation

/// A list that is loaded page by page, for a view that SwiftUI draws again when it changes.
///
/// ```swift
/// let list = ObservedList(Evocation.pagingCache(Car.self, pageSize: 50))
/// ```
///
/// A view shows its ``models`` and reports which rows appear; the list loads its pages
/// automatically:
///
/// ```text
/// List(list.models) { car in
///   CarRow(car).onAppear { list.appeared(car) }
/// }
/// .refreshable { await list.refresh() }
/// ```
///
/// It belongs to the main actor, and keeps the repository. It begins to observe when a view first
/// reads it, and ends when it is released.
@MainActor @Observable
public final class ObservedList<Source: PagingCacheDataSource>: PlainlyPrinted
where Source.Cache: RandomAccessCollection, Source.Cache.Element: Sendable {
  /// A row of the list.
  public typealias Model = Source.Cache.Element

  private var shown: [Model] = []
  private var last: CacheState<PagedCache<Source.Cache>>?

  /// The observed repository.
  @ObservationIgnored public let repository: any PagingCacheProviding<Source>

  @ObservationIgnored private var task: Task<Void, Never>?

  @ObservationIgnored private let forcesRefresh: Bool

  /// Creates the state of a list for a view; `forceRefresh` fetches it at any age.
  public init(_ repository: some PagingCacheProviding<Source>, forceRefresh: Bool = false) {
    self.repository = repository
    forcesRefresh = forceRefresh
  }

  deinit { task?.cancel() }

  /// The models of all loaded pages, in the list's order; empty before the first state.
  public var models: [Model] {
    begin()
    return shown
  }

  /// The last state; nil before the first.
  public var state: CacheState<PagedCache<Source.Cache>>? {
    begin()
    return last
  }

  private func begin() {
    guard task == nil else { return }
    task = repository.following(forceRefresh: forcesRefresh) { [weak self] state in
      guard let self else { return false }
      last = state
      shown = state.cache.map { Array($0.cache) } ?? []
      return true
    }
  }

  /// The error of the last refresh; nil after a refresh that succeeded.
  public var error: (any Error)? { state?.refreshError }

  /// Whether a fetch of the list runs.
  public var isRefreshing: Bool { state?.isRefreshing ?? false }

  /// Whether the next page can be loaded, is being loaded, or failed.
  public var next: AdditionalLoadingState { state?.cache?.next ?? .noMorePages }

  /// Whether the previous page can be loaded, is being loaded, or failed.
  public var previous: AdditionalLoadingState { state?.cache?.previous ?? .noMorePages }

  /// Fetches the list at any age, as pull-to-refresh does, and waits until it is shown or has
  /// failed.
  ///
  /// - Returns: How the refresh ended; ``error`` has its error too.
  @discardableResult
  public func refresh() async -> RefreshResult { await repository.pulled() }

  /// Loads the next page, again if it failed, as a button does.
  @discardableResult
  public func loadMore() async -> PageResult { await repository.goToNextPage() }

  /// Records that a row appeared, and loads the next or the previous page if the row is near it.
  ///
  /// - Parameter index: The row's offset in ``models``.
  public func appeared(at index: Int) { repository.rowAppeared(at: index) }
}

extension ObservedList where Source.Cache.Element: Identifiable {
  /// Records that a row appeared, and loads the next or the previous page if the row is near it.
  ///
  /// The list finds the row by its id, among the rows at each end that
  /// ``PagingCacheProviding/prefetchDistance`` covers.
  public func appeared(_ model: Model) {
    let found = RowDistances(of: model.id, in: models, atMost: repository.prefetchDistance)
    if let index = found.before ?? found.after.map({ models.count - 1 - $0 }) {
      appeared(at: index)
    }
  }
}

extension ObservedList where Source.Requirements == Criteria {
  /// The query: which models to list; set another at any time, for example from a search field.
  public var criteria: Criteria? {
    get { repository.requirements }
    set { repository.requirements = newValue }
  }
}
