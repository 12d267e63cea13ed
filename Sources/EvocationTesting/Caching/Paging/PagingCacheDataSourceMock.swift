public import Evocation

/// A source of pages that answers as a test tells it, and remembers how it was used.
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
/// It is to a `PagingCacheRepository` what ``CacheDataSourceMock`` is to a `CacheRepository`. Pages
/// of the list's own type are held one behind the other as they come; an item that comes twice is
/// held twice. Safe to use from any thread.
public final class PagingCacheDataSourceMock<
  Cache: Sendable, Requirements: CacheRequirements, Content: Sendable,
  PagingRequirements: PageRequirements
>: PagingCacheDataSource, SourceMock {
  /// What a fetch gives.
  public typealias FetchResult = FetchedPage<Content, PagingRequirements>

  /// What the mock keeps of its use.
  public let base: MockedSource<Cache, Calls, Closures>
  private let first: PagingRequirements

  /// Makes a mock without closures, that holds nothing.
  ///
  /// - Parameters:
  ///   - firstPage: What the first page of every list is asked for with.
  ///   - maxAge: How old a list may be and still count as fresh.
  ///   - automaticallyRefresh: Whether a stale or missing list is fetched when it is observed.
  ///   - onFailure: Is told of each failure at once; a test may record it as an issue.
  public init(
    firstPage: PagingRequirements, maxAge: Duration? = nil, automaticallyRefresh: Bool = true,
    onFailure: (@Sendable (MockFailure) -> Void)? = nil
  ) {
    first = firstPage
    base = MockedSource(
      "\(Self.self)", Calls(), Closures(),
      .init(maxAge: maxAge, automaticallyRefresh: automaticallyRefresh), onFailure: onFailure)
  }

  /// What the mock was made with.
  public func firstPage(_ requirements: Requirements) -> PagingRequirements { first }
}

extension PagingCacheDataSourceMock {
  /// Plays the closure.
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

  /// Plays the closure, if there is one, and holds the page where it belongs.
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

  /// Plays the closure, if there is one, and holds nothing any more.
  public func deleteCache(_ requirements: Requirements) async throws {
    let closure = base.note(\.deleteCache, requirements, \.deleteCache)
    try await closure?(requirements)
    base.store.drop(requirements.tag)
  }

  /// Plays the closure, if there is one; what is held stays.
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

  /// Plays the closure or, without one, says whether a collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool {
    let closure = base.note(\.isCacheEmpty, (cache, requirements), \.isCacheEmpty)
    if let closure { return closure(cache, requirements) }
    return (cache as? any Collection)?.isEmpty ?? false
  }

  /// The list with a page more; where lists cannot be joined, the page alone.
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
