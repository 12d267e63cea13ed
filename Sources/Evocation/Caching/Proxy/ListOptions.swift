/// How a list that is loaded page by page is fetched, shown and kept.
///
/// ```swift
/// let list = Evocation.pagingCache(
///   Car.self, pageSize: 50, maxAge: .hours(1), options: .init(paging: .link, maxPages: 20))
/// ```
public struct ListOptions: Sendable {
  /// What a refresh fetches.
  public enum Refresh: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first page, which replaces the list.
    case firstPage
    /// As many pages as the list has, which replace it together once the last one is fetched.
    ///
    /// They have the page size of the list, and are stored as a draft in the meantime. An interrupted
    /// refresh is continued later, unless its draft is older than the maximum age, your app has
    /// written models of the type since it began, or the service cannot continue it.
    case allPages
  }

  /// How the remote repository is asked for pages; by default with a limit and an offset.
  public var paging: ProxyPaging

  /// What a refresh fetches.
  public var refreshes: Refresh

  /// How many pages a list keeps, at least one; nil for all.
  ///
  /// Pages beyond it are dropped at the far end, and can be loaded again.
  public var maxPages: Int?

  /// Whether the pages survive a restart of your app, where the local store does; otherwise only the
  /// first page does.
  public var persistsPages: Bool

  /// How many rows before the end of the list the next page is loaded; nil for half a page.
  ///
  /// ``PagingCacheRepository/rowAppeared(at:)`` counts them.
  public var prefetchDistance: Int?

  /// The options that a list shares with a cache.
  var shared: CacheOptions

  /// Creates options; the options of ``CacheOptions`` have the same names and meanings.
  public init(
    paging: ProxyPaging = .offset, refreshes: Refresh = .firstPage, maxPages: Int? = nil,
    persistsPages: Bool = true, prefetchDistance: Int? = nil, refreshEvery: Duration? = nil,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none, removesMissing: Bool = true,
    automaticallyRefresh: Bool = true
  ) {
    self.paging = paging
    self.refreshes = refreshes
    self.maxPages = maxPages
    self.persistsPages = persistsPages
    self.prefetchDistance = prefetchDistance
    shared = CacheOptions(
      refreshEvery: refreshEvery, maxUsableAge: maxUsableAge, limits: limits,
      removesMissing: removesMissing, automaticallyRefresh: automaticallyRefresh)
  }
}
