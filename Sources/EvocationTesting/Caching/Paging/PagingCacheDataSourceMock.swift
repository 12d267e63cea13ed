public import Evocation

/// A source of pages under a real `PagingCacheRepository`: it answers with your test's closure.
///
/// ```swift
/// typealias Source = PagingCacheDataSourceMock<[Car], CacheTag, [Car], PageNumber>
/// let source = Source(firstPage: 1) { _, page in
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
  Cache: Sendable, Requirements: CacheRequirements, Content: Sendable,
  PagingRequirements: PageRequirements
>: PagingCacheDataSource {
  /// How old the stored data may be and still count as fresh.
  public let maxAge: Duration?

  /// How old the stored data may be and still be shown during a refresh.
  public let maxUsableAge: Duration?

  /// Whether an observed list is fetched when it is stale or missing.
  public let automaticallyRefresh: Bool

  private let first: PagingRequirements
  private let store = MockStore<Cache>()
  private let recorded = Lock<[SourceCall<Requirements, Content, PagingRequirements>]>([])
  private let joined: @Sendable (Cache?, Content, PagePosition) -> Cache
  private let fetch:
    @Sendable (Requirements, PagingRequirements) async throws -> FetchedPage<
      Content, PagingRequirements
    >
  private let onCall:
    (@Sendable (SourceCall<Requirements, Content, PagingRequirements>) async throws -> Void)?

  /// Creates a mock that stores nothing yet.
  ///
  /// - Parameters:
  ///   - firstPage: The request for the first page of every list.
  ///   - maxAge: How old the stored data may be and still count as fresh.
  ///   - maxUsableAge: How old the stored data may be and still be shown during a refresh.
  ///   - automaticallyRefresh: Whether an observed list is fetched when it is stale or missing.
  ///   - joined: Puts a page at its position into the list. Without a list, the page replaces it.
  ///   - fetch: Answers the fetch of one page.
  ///   - onCall: Runs before each save, deletion and cut, which throws its error.
  public init(
    firstPage: PagingRequirements, maxAge: Duration? = nil, maxUsableAge: Duration? = nil,
    automaticallyRefresh: Bool = true,
    joined: @escaping @Sendable (Cache?, Content, PagePosition) -> Cache,
    fetch:
      @escaping @Sendable (Requirements, PagingRequirements) async throws -> FetchedPage<
        Content, PagingRequirements
      >,
    onCall: (
      @Sendable (SourceCall<Requirements, Content, PagingRequirements>) async throws -> Void
    )? =
      nil
  ) {
    first = firstPage
    self.maxAge = maxAge
    self.maxUsableAge = maxUsableAge
    self.automaticallyRefresh = automaticallyRefresh
    self.joined = joined
    self.fetch = fetch
    self.onCall = onCall
  }

  /// Creates a mock whose pages have the type of the list, and are joined as they arrive.
  public convenience init(
    firstPage: PagingRequirements, maxAge: Duration? = nil, maxUsableAge: Duration? = nil,
    automaticallyRefresh: Bool = true,
    fetch:
      @escaping @Sendable (Requirements, PagingRequirements) async throws -> FetchedPage<
        Content, PagingRequirements
      >,
    onCall: (
      @Sendable (SourceCall<Requirements, Content, PagingRequirements>) async throws -> Void
    )? =
      nil
  ) where Content == Cache, Cache: RangeReplaceableCollection {
    self.init(
      firstPage: firstPage, maxAge: maxAge, maxUsableAge: maxUsableAge,
      automaticallyRefresh: automaticallyRefresh,
      joined: { list, page, position in
        guard let list else { return page }
        return switch position {
        case .replacing: page
        case .after: list + page
        case .before: page + list
        }
      }, fetch: fetch, onCall: onCall)
  }

  /// The calls so far, in order.
  public var calls: [SourceCall<Requirements, Content, PagingRequirements>] {
    recorded.withLock { $0 }
  }

  /// Returns the stored list.
  public func held(_ requirements: Requirements) -> Cache? { store.held(requirements.tag) }

  /// Changes the stored list, as if other code had saved it.
  public func send(_ cache: Cache, requirements: Requirements) {
    store.hold(cache, requirements.tag)
  }

  /// Ends the observations of these requirements, with an error if you pass one.
  public func finish(_ requirements: Requirements, throwing error: (any Error)? = nil) {
    store.finish(requirements.tag, throwing: error)
  }

  /// Waits until this many observations have begun; false when the task was canceled.
  @discardableResult
  public func observations(_ count: Int) async -> Bool { await store.observations.reach(count) }
}

extension PagingCacheDataSourceMock {
  /// Returns the request for the first page that the mock was created with.
  public func firstPage(_ requirements: Requirements) -> PagingRequirements { first }

  /// Runs the closure that answers a fetch.
  public func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements page: PagingRequirements
  ) async throws -> FetchedPage<Content, PagingRequirements> {
    recorded.withLock { $0.append(.fetch(requirements, page: page)) }
    return try await fetch(requirements, page)
  }

  /// Stores the page at its position in the list.
  public func saveCache(
    _ fetched: Content, requirements: Requirements, pagingRequirements page: PagingRequirements,
    place: PagePosition
  ) async throws {
    try await record(.save(fetched, requirements, page: page, position: place))
    store.hold(joined(store.held(requirements.tag), fetched, place), requirements.tag)
  }

  /// Deletes the stored list.
  public func deleteCache(_ requirements: Requirements) async throws {
    try await record(.delete(requirements))
    store.hold(nil, requirements.tag)
  }

  /// Records the call.
  ///
  /// The stored list stays.
  public func persistOnlyFirstPage(_ requirements: Requirements) async throws {
    try await record(.persistOnlyFirstPage(requirements))
  }

  /// Returns the stored list, now and after each change.
  public func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error> {
    store.stream(requirements.tag)
  }

  /// Returns whether a collection is empty; false for other data.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    (cache as? any Collection)?.isEmpty ?? false
  }

  private func record(
    _ call: SourceCall<Requirements, Content, PagingRequirements>
  ) async throws {
    recorded.withLock { $0.append(call) }
    try await onCall?(call)
  }
}
