// The former forms, which stay for one version.

@available(*, deprecated, message: "Pass CacheOptions(removesMissing:) as the options of cache.")
extension ProxyCacheDataSource {
  /// How fetched models are saved; now ``CacheOptions/removesMissing``.
  public enum Saving: String, Sendable, Hashable, Codable {
    /// Evocation removes models that the server no longer has.
    case mirror
    /// Evocation only inserts and updates models.
    case upsert
  }
}

extension ProxyPagingCacheDataSource {
  /// The pages that a refresh fetches; now ``ListOptions/Refresh``.
  @available(*, deprecated, renamed: "ListOptions.Refresh")
  public typealias Refreshes = ListOptions.Refresh
}

extension Evocation {
  /// Creates a cache without requirements, with its options one by one.
  @available(
    *, deprecated,
    message: "Write cache(Car.self, where: …, maxAge: …, options: .init(…))."
  )
  public func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, refreshEvery: Duration? = nil,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    unaskedCache(
      of: model, maxAge: maxAge,
      options: CacheOptions(
        refreshEvery: refreshEvery, maxUsableAge: maxUsableAge, limits: limits,
        removesMissing: saving == .mirror, automaticallyRefresh: automaticallyRefresh))
  }

  /// Creates a cache without requirements, with its options one by one, through ``shared``.
  @available(
    *, deprecated,
    message: "Write cache(Car.self, where: …, maxAge: …, options: .init(…))."
  )
  public static func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, refreshEvery: Duration? = nil,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    shared.cache(
      for: model, maxAge: maxAge, refreshEvery: refreshEvery, maxUsableAge: maxUsableAge,
      limits: limits, saving: saving, automaticallyRefresh: automaticallyRefresh)
  }

  /// Creates a list without requirements, with its options one by one.
  @available(
    *, deprecated,
    message: "Write pagingCache(Car.self, where: …, pageSize: …, maxAge: …, options: .init(…))."
  )
  public func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, prefetchDistance: Int? = nil,
    refreshEvery: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil, keepsPages: Bool = true,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    unaskedList(
      of: model, pageSize: pageSize, maxAge: maxAge,
      options: ListOptions(
        paging: paging, refreshes: refreshes, maxPages: keptPages, persistsPages: keepsPages,
        prefetchDistance: prefetchDistance, refreshEvery: refreshEvery, maxUsableAge: maxUsableAge,
        limits: limits, removesMissing: saving == .mirror,
        automaticallyRefresh: automaticallyRefresh))
  }

  /// Creates a list without requirements, with its options one by one, through ``shared``.
  @available(
    *, deprecated,
    message: "Write pagingCache(Car.self, where: …, pageSize: …, maxAge: …, options: .init(…))."
  )
  public static func pagingCache<Model: Sendable>(
    for model: Model.Type, pageSize: Int, maxAge: Duration? = nil, prefetchDistance: Int? = nil,
    refreshEvery: Duration? = nil, paging: ProxyPaging = .offset,
    refreshes: ListOptions.Refresh = .firstPage, keptPages: Int? = nil, keepsPages: Bool = true,
    maxUsableAge: Duration? = nil, limits: CacheLimits = .none,
    saving: ProxyCacheDataSource<Model>.Saving = .mirror, automaticallyRefresh: Bool = true
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    shared.pagingCache(
      for: model, pageSize: pageSize, maxAge: maxAge, prefetchDistance: prefetchDistance,
      refreshEvery: refreshEvery, paging: paging, refreshes: refreshes, keptPages: keptPages,
      keepsPages: keepsPages, maxUsableAge: maxUsableAge, limits: limits, saving: saving,
      automaticallyRefresh: automaticallyRefresh)
  }
}
