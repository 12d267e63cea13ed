public import Evocation

/// A source of pages that answers by a test's closures, and records how it was used.
///
/// ```swift
/// let source = PagingCacheDataSourceMock<[Car], CacheTag, [Car], PageNumber>(firstPage: 1)
/// source.closures.fetchFreshCache = { _, page in
///   FetchedPage([cars[page.number - 1]], next: page.number < 3 ? page.next : nil)
/// }
/// let list = PagingCacheRepository(source, ledger: InMemoryFetchLedger())
/// list.requirements = "cars"
/// try await list.refresh()
/// #expect(await list.goToNextPage() == .successful)
/// #expect(source.calls.saveCache.invocations.map(\.place) == [.replacing, .after])
/// ```
///
/// It is to a `PagingCacheRepository` what ``CacheDataSourceMock`` is to a `CacheRepository`. Where
/// a page has the type of the list, pages are joined as they come; an item that comes twice is held
/// twice. Safe to use from any thread.
public final class PagingCacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements, Content: Sendable,
  PagingRequirements: PageRequirements
>: PagingCacheDataSource, SourceMock {
  /// What a fetch gives.
  public typealias FetchResult = FetchedPage<Content, PagingRequirements>

  /// The mock's settings, closures and recorded calls.
  public let base: MockedSource<Cache, Calls, Closures>
  private let first: PagingRequirements

  /// Makes a mock that has no closures and holds nothing.
  ///
  /// - Parameters:
  ///   - firstPage: What the first page of every list is asked for with.
  ///   - maxAge: How old a list may be and still count as fresh.
  ///   - automaticallyRefresh: Whether a stale or missing list is fetched when it is observed.
  ///   - onFailure: Called at once with each failure; a test may record it as an issue.
  public init(
    firstPage: PagingRequirements, maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    onFailure: (@Sendable (MockFailure) -> Void)? = nil
  ) {
    first = firstPage
    base = MockedSource(
      "\(Self.self)", Calls(), Closures(),
      .init(maxAge: maxAge, automaticallyRefresh: automaticallyRefresh), onFailure: onFailure)
  }

  /// The requirements that the mock was made with.
  public func firstPage(_ requirements: Requirements) -> PagingRequirements { first }
}

extension PagingCacheDataSourceMock {
  /// Runs the closure.
  ///
  /// - Throws: What the closure throws, and ``MockFailure`` without one.
  public func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements page: PagingRequirements
  ) async throws -> FetchResult {
    let closure = base.note(\.fetchFreshCache, (requirements, page), \.fetchFreshCache)
    guard let closure else {
      throw base.failure("fetchFreshCache(_:pagingRequirements:)", "fetchFreshCache")
    }
    return try await closure(requirements, page)
  }

  /// Runs the closure, if there is one, and holds the page where it belongs.
  public func saveCache(
    _ fetched: Content, requirements: Requirements, pagingRequirements page: PagingRequirements,
    place: PagePosition
  ) async throws {
    let save = Save(content: fetched, requirements: requirements, page: page, place: place)
    let closure = base.note(\.saveCache, save, \.saveCache)
    try await closure?(save)
    guard let page = fetched as? Cache else { return }
    let list = base.store.held(requirements.tag)
    base.store.hold(list.map { Self.joined($0, page, place) } ?? page, requirements.tag)
  }

  /// Runs the closure, if there is one, and drops what is held.
  public func deleteCache(_ requirements: Requirements) async throws {
    let closure = base.note(\.deleteCache, requirements, \.deleteCache)
    try await closure?(requirements)
    base.store.drop(requirements.tag)
  }

  /// Runs the closure, if there is one; what is held stays.
  public func persistOnlyFirstPage(_ requirements: Requirements) async throws {
    let closure = base.note(\.persistOnlyFirstPage, requirements, \.persistOnlyFirstPage)
    try await closure?(requirements)
  }

  /// Gives what the closure gives or, without one, what is held, now and as it changes.
  public func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error> {
    let closure = base.note(\.observeCache, requirements, \.observeCache)
    if let closure { return closure(requirements) }
    return base.observeHeld(requirements.tag, Content.self)
  }

  /// Runs the closure or, without one, says whether a collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    let closure = base.note(\.isCacheEmpty, (cache, requirements), \.isCacheEmpty)
    if let closure { return closure(cache, requirements) }
    return (cache as? any Collection)?.isEmpty ?? false
  }

  /// The list and the page in one; where lists of this type cannot be joined, the page alone.
  private static func joined(_ list: Cache, _ page: Cache, _ place: PagePosition) -> Cache {
    func joined<List: RangeReplaceableCollection>(_ list: List) -> Cache? {
      guard let page = page as? List else { return nil }
      let whole: List =
        switch place {
        case .replacing: page
        case .after: list + page
        case .before: page + list
        }
      return whole as? Cache
    }
    guard let list = list as? any RangeReplaceableCollection else { return page }
    return joined(list) ?? page
  }
}

extension PagingCacheDataSourceMock {
  /// A page that was saved.
  public struct Save: Sendable {
    /// The page.
    public let content: Content

    /// Which list it belongs to.
    public let requirements: Requirements

    /// What it was asked for with.
    public let page: PagingRequirements

    /// Where it was put.
    public let place: PagePosition
  }

  /// How each member was used.
  public struct Calls: Sendable {
    /// Which pages were fetched, of which lists.
    public internal(set) var fetchFreshCache = MockCalls<(Requirements, PagingRequirements)>()

    /// Which pages were saved.
    public internal(set) var saveCache = MockCalls<Save>()

    /// Which lists were deleted.
    public internal(set) var deleteCache = MockCalls<Requirements>()

    /// Which lists were cut to their first page.
    public internal(set) var persistOnlyFirstPage = MockCalls<Requirements>()

    /// Which lists were observed, or read once.
    public internal(set) var observeCache = MockCalls<Requirements>()

    /// Which lists were checked for being empty.
    public internal(set) var isCacheEmpty = MockCalls<(Cache, Requirements)>()

    /// How often any member was used.
    public var callsCount: Int {
      [
        fetchFreshCache.callsCount, saveCache.callsCount, deleteCache.callsCount,
        persistOnlyFirstPage.callsCount, observeCache.callsCount, isCacheEmpty.callsCount,
      ].reduce(0, +)
    }

    /// Whether any member was used.
    public var called: Bool { callsCount > 0 }
  }

  /// The closures that the members run.
  ///
  /// A fetch needs a closure; so does observing where a page's content has another type than the
  /// list. Set closures before the code under test runs.
  public struct Closures: Sendable {
    /// Answers the fetch of one page.
    public var fetchFreshCache:
      (@Sendable (Requirements, PagingRequirements) async throws -> FetchResult)?

    /// Receives each page that is saved; an error that it throws is the error of the save.
    public var saveCache: (@Sendable (Save) async throws -> Void)?

    /// Runs when a list is deleted.
    public var deleteCache: (@Sendable (Requirements) async throws -> Void)?

    /// Runs when a list is cut to its first page.
    public var persistOnlyFirstPage: (@Sendable (Requirements) async throws -> Void)?

    /// Gives what is observed, in place of what is held.
    public var observeCache: (@Sendable (Requirements) -> AsyncThrowingStream<Cache, any Error>)?

    /// Says whether there is nothing in a list.
    public var isCacheEmpty: (@Sendable (Cache, Requirements) -> Bool)?
  }
}
