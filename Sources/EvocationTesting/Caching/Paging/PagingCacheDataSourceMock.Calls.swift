public import Evocation

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
    /// Which pages of what were fetched.
    public internal(set) var fetchFreshCache = MockCalls<(Requirements, PagingRequirements)>()

    /// Which pages were saved.
    public internal(set) var saveCache = MockCalls<Save>()

    /// Which lists were deleted.
    public internal(set) var deleteCache = MockCalls<Requirements>()

    /// Which lists were cut to their first page.
    public internal(set) var persistOnlyFirstPage = MockCalls<Requirements>()

    /// Which lists were observed, or read once.
    public internal(set) var observeCache = MockCalls<Requirements>()

    /// Which lists were looked into.
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

  /// What each member plays.
  ///
  /// Only a fetch needs a closure, and observing where a page's content is of another type than the
  /// list. Set closures before the code under test runs.
  public struct Closures: Sendable {
    /// Answers the fetch of one page.
    public var fetchFreshCache:
      (@Sendable (Requirements, PagingRequirements) async throws -> FetchResult)?

    /// Is given each page that is saved; what it throws is the failure of the save.
    public var saveCache: (@Sendable (Save) async throws -> Void)?

    /// Is run when a list is deleted.
    public var deleteCache: (@Sendable (Requirements) async throws -> Void)?

    /// Is run when a list is to be cut to its first page.
    public var persistOnlyFirstPage: (@Sendable (Requirements) async throws -> Void)?

    /// Gives the list, in place of what is held.
    public var observeCache: (@Sendable (Requirements) -> AsyncThrowingStream<Cache, any Error>)?

    /// Says whether there is nothing in a list.
    public var isCacheEmpty: (@Sendable (Cache, Requirements) -> Bool)?
  }
}
