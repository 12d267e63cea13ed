/// The proxy of a model type, seen as a list that is loaded page by page.
///
/// ``Evocation/pagingCache(for:pageSize:maxAge:paging:refreshes:keptPages:keepsPages:maxUsableAge:limits:saving:automaticallyRefresh:)-method``
/// makes a repository of it. It is as ``ProxyCacheDataSource``, with this beside it:
///
/// - The criteria say what is listed; the service says in which order. Their own limit and offset say
///   which part of it is to be had at all.
/// - Which models the list has is kept beside them: by a local repository that is a ``ListStore``, or
///   else in memory. A change to a model shows in every list that has it, and a removed model leaves
///   all of them.
/// - A model that comes with a later page, because the service shifted it, is listed there and no
///   longer where it was.
/// - Models that only a replaced or cleared list had are removed from the local repository, where
///   they match its criteria and no other cache wants them; models of dropped pages stay there.
public struct ProxyPagingCacheDataSource<Model: Sendable>: PagingCacheDataSource {
  /// How what was fetched is saved.
  public typealias Saving = ProxyCacheDataSource<Model>.Saving

  /// What a refresh fetches.
  public enum Refreshes: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first page, which replaces the list.
    case firstPage
    /// As many pages as the list has, which replace it together when the last one is there.
    ///
    /// They have the size that the list's pages have, and are kept meanwhile; a refresh that was
    /// interrupted goes on where it was, unless what it has is older than the maximum age, or of no
    /// use.
    case allPages
  }

  /// How many models a page has of a list that is begun now.
  public let pageSize: Int

  /// How the remote repository is asked for pages.
  public let paging: ProxyPaging

  /// What a refresh fetches.
  public let refreshes: Refreshes

  /// How many pages a list keeps; nil for all.
  public let keptPages: Int?

  let base: ProxyCacheDataSource<Model>

  init(
    _ base: ProxyCacheDataSource<Model>, pageSize: Int, paging: ProxyPaging, refreshes: Refreshes,
    keptPages: Int?
  ) {
    self.base = base
    self.pageSize = max(1, pageSize)
    self.paging = paging
    self.refreshes = refreshes
    self.keptPages = keptPages.map { max(1, $0) }
  }

  /// How old the list may be and count as fresh.
  public var maxAge: Duration? { base.maxAge }

  /// How old the list may be and be shown.
  public var maxUsableAge: Duration? { base.maxUsableAge }

  /// Whether a stale or missing list is fetched by itself.
  public var automaticallyRefresh: Bool { base.automaticallyRefresh }

  /// How much is kept of the lists that are not observed.
  public var limits: CacheLimits { base.limits }

  /// Whether there is a remote repository.
  public var canFetch: Bool { base.canFetch }

  /// The ledger in the local repository's store, or else the configuration's.
  public var ledger: (any FetchLedger)? { base.ledger }

  /// What the model type's other tags begin with, and a word for lists.
  public var tagPrefix: String { Self.tagPrefix }

  static var tagPrefix: String { ProxyCacheDataSource<Model>.tagPrefix + "list?" }

  /// The model type's name, a word for lists, and the criteria.
  public func tag(for requirements: Criteria) -> String { tagPrefix + requirements.tag }

  var proxy: Proxy<Model> {
    get throws(EvocationError) { try base.proxy }
  }

  /// The local repository, and where its lists are kept.
  var local: (repository: any Repository<Model>, store: any ListStore<Model>) {
    get throws {
      let proxy = try proxy
      let wiring = proxy.wiring
      guard let local = wiring.local else {
        throw EvocationError.missingRepository(.local, model: proxy.model)
      }
      return (local, try wiring.lists.store(beside: local))
    }
  }
}
