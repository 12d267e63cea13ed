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
  ///   - pageSize: How many models a page has, at least one; a list that was begun with another size
  ///     goes on with that.
  ///   - maxAge: How old a list may be and count as fresh; nil for any age.
  ///   - paging: How the remote repository is asked for pages; by limit and offset unless told
  ///     otherwise.
  ///   - refreshes: Whether a refresh fetches the first page, or as many as the list has.
  ///   - keptPages: How many pages a list keeps, at least one; nil for all. What is over it is
  ///     dropped from the other end, and can be loaded again.
  ///   - keepsPages: As for ``PagingCacheRepository``.
  ///   - maxUsableAge: How old a list may be and still be shown; nil for any age.
  ///   - limits: How much is kept of what nobody observes, of all lists of this model type.
  ///   - saving: Whether models that only a replaced list had are removed from the local repository.
  ///   - automaticallyRefresh: Whether a stale or missing list is fetched when it is observed.
  /// - Returns: A repository without requirements.
  public func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ProxyPagingCacheDataSource<Model>.Refreshes = .firstPage, keptPages: Int? = nil,
    keepsPages: Bool = true, maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    let base = ProxyCacheDataSource<Model>(
      self, maxAge: maxAge, maxUsableAge: maxUsableAge, limits: limits, saving: saving,
      automaticallyRefresh: automaticallyRefresh)
    let source = ProxyPagingCacheDataSource(
      base, pageSize: pageSize, paging: paging, refreshes: refreshes, keptPages: keptPages)
    return PagingCacheRepository(
      CacheRepository(
        source, environment.ledger, CacheTime(environment), keepsPages: keepsPages,
        environment.onTrace))
  }

  /// Makes a cache of a model type whose lists are loaded page by page, through ``shared``.
  public static func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ProxyPagingCacheDataSource<Model>.Refreshes = .firstPage, keptPages: Int? = nil,
    keepsPages: Bool = true, maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    shared.pagingCache(
      for: model, pageSize: pageSize, maxAge: maxAge, paging: paging, refreshes: refreshes,
      keptPages: keptPages, keepsPages: keepsPages, maxUsableAge: maxUsableAge, limits: limits,
      saving: saving, automaticallyRefresh: automaticallyRefresh)
  }
}
