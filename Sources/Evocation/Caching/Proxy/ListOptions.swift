/// How Evocation fetches, shows and keeps a list that is loaded page by page.
///
/// ```swift
/// let list = Evocation.pagingCache(
///   Car.self, pageSize: 50, maxAge: .hours(1), options: .init(paging: .link, maxPages: 20))
/// ```
public struct ListOptions: Sendable, PlainlyPrinted {
  /// The pages that a refresh fetches.
  public enum Refresh: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The first page, which replaces the list.
    case firstPage
    /// As many pages as the list has, which replace it together once the last one is fetched.
    ///
    /// They have the page size of the list. A refresh that fails, or that the end of your app
    /// interrupts, leaves the list as it was, and the next one begins with the first page.
    case allPages
  }

  /// How Evocation requests pages from the remote repository; by default as its answers say.
  public var paging: ProxyPaging

  /// The pages that a refresh fetches.
  public var refreshes: Refresh

  /// How many pages a list keeps, at least one; nil for all.
  ///
  /// Evocation drops pages beyond it at the far end of the list, and can load them again.
  public var maxPages: Int?

  /// Whether the pages survive a restart of your app, where the local store does.
  ///
  /// If not, only the first page survives.
  public var persistsPages: Bool

  /// How many rows before the end of the list the next page is loaded; nil for half a page.
  ///
  /// ``PagingCacheRepository/rowAppeared(at:)`` counts them.
  public var prefetchDistance: Int?

  /// The options that a list has in common with a cache.
  var shared: CacheOptions

  /// Creates options; the options of ``CacheOptions`` have the same names and meanings.
  public init(
    paging: ProxyPaging = .automatic, refreshes: Refresh = .firstPage, maxPages: Int? = nil,
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
