public import Evocation

/// A source of pages under a real `PagingCacheRepository`: it answers with your test's closure.
///
/// ```swift
/// let source = PagingCacheDataSourceMock<[Car], CacheTag, PageNumber>(firstPage: 1) { _, page in
///   FetchedPage([cars[page.number - 1]], next: page.number < 3 ? page.next : nil)
/// }
/// let list = PagingCacheRepository(source, ledger: InMemoryFetchLedger())
/// list.requirements = "cars"
/// try await list.refresh()
/// #expect(await list.goToNextPage() == .successful)
/// #expect(source.calls.last == .save([cars[1]], "cars", page: 2, position: .after))
/// ```
///
/// The mock records each call, and stores saved data in memory. It joins the pages as they arrive:
/// an item that arrives twice is listed twice. Safe to use from any thread.
public final class PagingCacheDataSourceMock<
  Cache: RangeReplaceableCollection & Sendable, Requirements: CacheRequirements,
  PagingRequirements: PageRequirements
>: PagingCacheDataSource {
  /// What a fetch returns.
  public typealias FetchResult = FetchedPage<Cache, PagingRequirements>

  /// How old the stored data may be and still count as fresh.
  public let maxAge: Duration?

  /// How old the stored data may be and still be shown during a refresh.
  public let maxUsableAge: Duration?

  /// Whether an observed list is fetched when it is stale or missing.
  public let automaticallyRefresh: Bool

  private let first: PagingRequirements
  private let store = MockStore<Cache>()
  private let recorded = Lock<[SourceCall<Requirements, Cache, PagingRequirements>]>([])
  private let fetch: @Sendable (Requirements, PagingRequirements) async throws -> FetchResult
  private let onCall:
    (@Sendable (SourceCall<Requirements, Cache, PagingRequirements>) async throws -> Void)?

  /// Creates a mock that stores nothing yet.
  ///
  /// `firstPage` is the request for the first page of every list, and `fetch` answers the fetch of
  /// one page. `onCall` runs before each save, deletion and cut, which throws its error.
  public init(
    firstPage: PagingRequirements, maxAge: Duration? = nil, maxUsableAge: Duration? = nil,
    automaticallyRefresh: Bool = true,
    fetch: @escaping @Sendable (Requirements, PagingRequirements) async throws -> FetchResult,
    onCall: (
      @Sendable (SourceCall<Requirements, Cache, PagingRequirements>) async throws -> Void
    )? = nil
  ) {
    first = firstPage
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.fetch = fetch
    self.onCall = onCall
  }

  /// The calls so far, in order.
  public var calls: [SourceCall<Requirements, Cache, PagingRequirements>] {
    recorded.withLock { $0 }
  }

  /// Returns the stored list.
  public func held(_ requirements: Requirements) -> Cache? { store.held(requirements.tag) }

  /// Changes the stored list, as if other code had saved it.
  public func send(_ cache: Cache, requirements: Requirements) {
    store.hold(cache, requirements.tag)
  }

  /// Returns the request for the first page that the mock was created with.
  public func firstPage(_ requirements: Requirements) -> PagingRequirements { first }

  /// Runs the closure that answers a fetch.
  public func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements page: PagingRequirements
  ) async throws -> FetchResult {
    recorded.withLock { $0.append(.fetch(requirements, page: page)) }
    return try await fetch(requirements, page)
  }

  /// Stores the page at its position in the list.
  public func saveCache(
    _ fetched: Cache, requirements: Requirements, pagingRequirements page: PagingRequirements,
    place: PagePosition
  ) async throws {
    try await record(.save(fetched, requirements, page: page, position: place))
    let list = store.held(requirements.tag) ?? Cache()
    let whole =
      switch place {
      case .replacing: fetched
      case .after: list + fetched
      case .before: fetched + list
      }
    store.hold(whole, requirements.tag)
  }

  /// Deletes the stored list.
  public func deleteCache(_ requirements: Requirements) async throws {
    try await record(.delete(requirements))
    store.hold(nil, requirements.tag)
  }

  /// Records the call and keeps the stored list.
  public func persistOnlyFirstPage(_ requirements: Requirements) async throws {
    try await record(.persistOnlyFirstPage(requirements))
  }

  /// Returns the stored list, now and after each change.
  public func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error> {
    store.stream(requirements.tag)
  }

  private func record(
    _ call: SourceCall<Requirements, Cache, PagingRequirements>
  ) async throws {
    recorded.withLock { $0.append(call) }
    try await onCall?(call)
  }
}
