extension Evocation {
  /// Makes a cache of a registered model type.
  ///
  /// ```swift
  /// let cars = Evocation.shared.cache(for: Car.self, maxAge: .seconds(5 * 3600))
  /// cars.requirements = ["year": 2002]
  /// ```
  ///
  /// The type may be registered later; as long as it is not, fetches fail with an error that says
  /// so.
  ///
  /// - Parameters:
  ///   - model: The registered model type.
  ///   - maxAge: How old the cache may be and still count as fresh; nil for any age.
  ///   - refreshEvery: After which pause it is fetched again while it is observed, and the app is not
  ///     known to be inactive or offline; nil for none. As ``CacheDataSource/refreshEvery``.
  ///   - maxUsableAge: How old it may be and still be shown; nil for any age.
  ///   - limits: How much is kept of this model type's caches that are not observed.
  ///   - saving: Whether what the service no longer has is removed from the local repository.
  ///   - automaticallyRefresh: Whether a stale or missing cache is fetched when it is observed.
  /// - Returns: A repository without requirements.
  public func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, refreshEvery: Duration? = nil,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror,
    automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    let source = ProxyCacheDataSource<Model>(
      self, maxAge: maxAge, refreshEvery: refreshEvery, maxUsableAge: maxUsableAge,
      limits: limits, saving: saving, automaticallyRefresh: automaticallyRefresh)
    return CacheRepository(
      source, environment.ledger, CacheTime(environment), keepsPages: true, environment.onEvent,
      presence, environment.callbackQueue)
  }

  /// Makes a cache of a registered model type, through ``shared``.
  public static func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, refreshEvery: Duration? = nil,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror,
    automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    shared.cache(
      for: model, maxAge: maxAge, refreshEvery: refreshEvery, maxUsableAge: maxUsableAge,
      limits: limits, saving: saving, automaticallyRefresh: automaticallyRefresh)
  }

  /// Declares caches of a model type stale, which fetches those that are observed.
  ///
  /// Without criteria it concerns all caches of the model type, or those whose criteria's tags
  /// begin with a prefix.
  public func invalidate<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, prefix: String = ""
  ) async throws {
    let source = cache(for: model).source
    let ledger = source.ledger ?? environment.ledger
    let end = criteria?.tag ?? prefix
    try await ledger.invalidate(prefix: source.tagPrefix + end)
    guard !end.isEmpty else { return }
    try await ledger.invalidate(prefix: ProxyPagingCacheDataSource<Model>.tagPrefix + end)
  }

  /// Forgets when the caches of a model type were fetched, and leaves their data in the store.
  ///
  /// Observers are shown that there is no cache.
  public func clearCaches<Model: Sendable>(of model: Model.Type) async throws {
    let source = cache(for: model).source
    try await (source.ledger ?? environment.ledger).clear(prefix: source.tagPrefix)
  }
}

extension CacheTime {
  init(_ environment: Environment) {
    source = environment.time
    date = environment.date
  }
}

extension Evocation {
  /// Makes a cache of a registered model type whose lists are loaded page by page.
  ///
  /// ```swift
  /// let cars = Evocation.shared.pagingCache(for: Car.self, pageSize: 50, maxAge: .seconds(3600))
  /// cars.requirements = Criteria().sorted(by: "year")
  /// ```
  ///
  /// - Parameters:
  ///   - model: The registered model type; its id must be coded as one value.
  ///   - pageSize: How many models a page has, at least one; a list that was begun with another
  ///     size keeps that size.
  ///   - maxAge: How old a list may be and still count as fresh; nil for any age.
  ///   - prefetchDistance: How many rows before the end of the list the next page is asked for, as
  ///     ``PagingCacheRepository/rowAppeared(at:)`` says; half a page by default.
  ///   - refreshEvery: As for ``cache(for:maxAge:refreshEvery:maxUsableAge:limits:saving:automaticallyRefresh:)-method``.
  ///   - paging: How the remote repository is asked for pages; by default, with limit and offset.
  ///   - refreshes: Whether a refresh fetches the first page, or as many as the list has.
  ///   - keptPages: How many pages a list keeps, at least one; nil for all. Pages beyond it are
  ///     dropped from the other end, and can be loaded again.
  ///   - keepsPages: As for ``PagingCacheRepository``.
  ///   - maxUsableAge: How old a list may be and still be shown; nil for any age.
  ///   - limits: How much is kept of this model type's lists that are not observed.
  ///   - saving: Whether models that only a replaced list had are removed from the local
  ///     repository.
  ///   - automaticallyRefresh: Whether a stale or missing list is fetched when it is observed.
  /// - Returns: A repository without requirements.
  public func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, prefetchDistance: Int? = nil,
    refreshEvery: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ProxyPagingCacheDataSource<Model>.Refreshes = .firstPage, keptPages: Int? = nil,
    keepsPages: Bool = true, maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    let base = ProxyCacheDataSource<Model>(
      self, maxAge: maxAge, refreshEvery: refreshEvery, maxUsableAge: maxUsableAge,
      limits: limits, saving: saving, automaticallyRefresh: automaticallyRefresh)
    let source = ProxyPagingCacheDataSource(
      base, pageSize: pageSize, paging: paging, refreshes: refreshes, keptPages: keptPages)
    return PagingCacheRepository(
      CacheRepository(
        source, environment.ledger, CacheTime(environment), keepsPages: keepsPages,
        environment.onEvent, presence, environment.callbackQueue),
      prefetchDistance: prefetchDistance ?? source.pageSize / 2)
  }

  /// Makes a cache of a model type whose lists are loaded page by page, through ``shared``.
  public static func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, prefetchDistance: Int? = nil,
    refreshEvery: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ProxyPagingCacheDataSource<Model>.Refreshes = .firstPage, keptPages: Int? = nil,
    keepsPages: Bool = true, maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    shared.pagingCache(
      for: model, pageSize: pageSize, maxAge: maxAge, prefetchDistance: prefetchDistance,
      refreshEvery: refreshEvery, paging: paging, refreshes: refreshes, keptPages: keptPages,
      keepsPages: keepsPages, maxUsableAge: maxUsableAge, limits: limits,
      saving: saving, automaticallyRefresh: automaticallyRefresh)
  }
}
