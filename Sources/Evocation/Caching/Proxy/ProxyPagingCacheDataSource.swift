internal import Foundation

/// The source of a registered model type's lists, which are loaded page by page.
///
/// `Evocation.pagingCache(_:where:pageSize:maxAge:options:)` creates a
/// repository of this source. It has all properties of ``ProxyCacheDataSource``, and these:
///
/// Your app names it in the type of a list:
///
/// ```swift
/// let list: PagingCacheRepository<ProxyPagingCacheDataSource<Car>>
/// list = evocation.pagingCache(Car.self, where: \.year == 1980, pageSize: 50)
/// ```
///
/// - The criteria say which models are listed, and the service says in which order. A limit and an
///   offset of the criteria restrict the whole list.
/// - The list's ids are stored beside the models, by the local repository on SQLite, or else in
///   memory. A change of a model shows in every list that has it, and a removed model leaves all of
///   them.
/// - A model that comes again with a later page, because the service moved it, moves to that page.
/// - Models that only a replaced or cleared list had are removed from the local repository, where
///   they match its criteria and no other cache needs them. Models of dropped pages stay.
public struct ProxyPagingCacheDataSource<Model: Sendable>: PagingCacheDataSource, PlainlyPrinted {
  /// How many models a page has in a list that begins now.
  public let pageSize: Int

  /// How Evocation fetches, shows and keeps the list.
  public let options: ListOptions

  private(set) var base: ProxyCacheDataSource<Model>

  /// Whether it is the one page of the cache `base`, under its tag, and not a list beside it.
  private let isOfCache: Bool

  init(_ base: ProxyCacheDataSource<Model>, pageSize: Int, options: ListOptions) {
    self.base = base
    self.pageSize = max(1, pageSize)
    self.options = options
    isOfCache = false
  }

  /// Creates the page that has the models of a cache.
  init(pageOf cache: ProxyCacheDataSource<Model>) {
    base = cache
    pageSize = 1
    options = ListOptions()
    isOfCache = true
  }

  /// How pages are requested: as the app says, or else as the remote repository's lists continue.
  var paging: ProxyPaging {
    guard case .automatic = options.paging.kind else { return options.paging }
    let remote = (try? proxy)?.wiring.remote
    return remote?.role((any PagedRepository<Model>).self)?.paging ?? .offset
  }

  /// How many pages a list keeps, at least one; nil for all.
  var maxPages: Int? { options.maxPages.map { max(1, $0) } }

  /// How old the list may be and still count as fresh.
  public var maxAge: Duration? { base.maxAge }

  /// The age after which states no longer show the list; nil for any age.
  public var maxUsableAge: Duration? { base.maxUsableAge }

  /// The pause after which Evocation fetches an observed list again; nil for never.
  public var refreshEvery: Duration? { base.refreshEvery }

  /// Whether observing a stale or missing list fetches it.
  public var automaticallyRefresh: Bool { base.automaticallyRefresh }

  /// How much Evocation keeps of the lists without observers.
  public var limits: CacheLimits { base.limits }

  /// Whether there is a remote repository; also true for a model type that is not registered yet.
  public var canFetch: Bool { base.canFetch }

  /// The ledger in the local repository's store, or else the configuration's.
  public var ledger: (any FetchLedger)? { base.ledger }

  /// The model type's name with its module, and a sign for lists.
  public var tagPrefix: String { Self.tagPrefix }

  static var tagPrefix: String { ProxyCacheDataSource<Model>.tagPrefix + "list?" }

  /// Returns the model type's name with its module, a sign for lists, and the criteria.
  public func tag(for requirements: Criteria) -> String {
    (isOfCache ? base.tagPrefix : tagPrefix) + requirements.tag
  }

  var proxy: Proxy<Model> {
    get throws { try base.proxy }
  }

  /// The local repository, and the store of its lists.
  var local: (repository: any Repository<Model>, store: any ListStore<Model>) {
    get throws {
      let proxy = try proxy
      let wiring = try base.wiring(of: proxy)
      guard let local = wiring.local else {
        throw EvocationError.missingRepository(.local, model: proxy.model)
      }
      return (local, try wiring.lists.store(beside: local))
    }
  }
}

extension ProxyPagingCacheDataSource {
  var store: StoreID? { base.store }

  var recordedName: String? { base.recordedName }

  var liveSince: LiveStatus.Since? { base.liveSince }

  // Where only the service knows what matches, any model may.
  func lacks(_ models: any Sendable, _ content: [Model], of requirements: Criteria) -> Bool {
    guard let models = models as? [Model], let ids = ModelID.all(of: models),
      let held = ModelID.all(of: content).map(Set.init)
    else { return false }
    let access = ModelAccess<Model>.make()
    let criteria = access.flatMap { try? base.declared(requirements).resolved(against: $0.schema) }
    return zip(models, ids).contains { model, id in
      guard !held.contains(id), let access, let criteria else { return !held.contains(id) }
      guard let predicate = criteria.predicate else { return true }
      return (try? predicate.matches(access.fields(model))) ?? true
    }
  }

  var isShortenedByRefresh: Bool { options.refreshes == .firstPage }

  var isInPlace: Bool { base.isInPlace }

  var inPlace: ProxyPagingCacheDataSource {
    var bound = self
    bound.base = base.inPlace
    return bound
  }

  func known(_ record: FetchRecord, of tag: String) -> FetchRecord? {
    base.known(record, of: tag)
  }

  var registration: Registration? { base.registration }
}
