extension Evocation {
  /// Creates a cache of a registered model type, for criteria from key paths.
  ///
  /// ```swift
  /// let cars = evocation.cache(Car.self, where: \.origin == "Japan", maxAge: .hours(5))
  /// ```
  ///
  /// You may register the type later; until then, fetches fail with an error that says so.
  ///
  /// - Parameters:
  ///   - model: The registered model type.
  ///   - criteria: The models of the cache; you can set others later, as its
  ///     ``CacheRepository/requirements``.
  ///   - maxAge: The age up to which the cache counts as fresh; nil for any age.
  ///   - options: How it is fetched, shown and kept.
  /// - Returns: A repository of the cache.
  public func cache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, maxAge: Duration? = nil,
    options: CacheOptions = .init()
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    cache(model, where: criteria.criteria, maxAge: maxAge, options: options)
  }

  /// Creates a cache of a registered model type, for criteria with keys as text.
  ///
  /// Without criteria, the cache has all models.
  ///
  /// ```swift
  /// let cars = evocation.cache(Car.self, where: ["year": 1980], maxAge: .hours(5))
  /// ```
  public func cache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, maxAge: Duration? = nil,
    options: CacheOptions = .init()
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    let cache = unaskedCache(of: model, maxAge: maxAge, options: options)
    cache.requirements = criteria ?? Criteria()
    return cache
  }

  /// Creates a cache without requirements.
  private func unaskedCache<Model: Sendable>(
    of model: Model.Type, maxAge: Duration? = nil, options: CacheOptions = .init()
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    let source = ProxyCacheDataSource<Model>(self, maxAge: maxAge, options: options)
    return CacheRepository(
      source, environment.ledger, time: CacheTime(environment), keepsPages: true,
      onTrace: environment.onAnyEvent, presence: presence,
      callbackQueue: environment.callbackQueue)
  }
}

extension Evocation {
  /// Declares caches of a model type stale; Evocation fetches those that are observed.
  ///
  /// With criteria, it affects the caches of these criteria. Otherwise it affects all caches of the
  /// model type whose criteria's tags (the cache keys) begin with the prefix; by default, all of
  /// them.
  public func invalidate<Model: Sendable>(
    _ model: Model.Type, criteria: Criteria? = nil, prefix: String = ""
  ) async throws {
    let source = unaskedCache(of: model).source
    let ledger = source.ledger ?? environment.ledger
    let end = criteria?.tag ?? prefix
    // A read from now on asks again, and joins none that began before.
    (try? proxy(for: model))?.joins.recordWrite()
    try await ledger.invalidate(prefix: source.tagPrefix + end)
    guard !end.isEmpty else { return }
    try await ledger.invalidate(prefix: ProxyPagingCacheDataSource<Model>.tagPrefix + end)
  }

  /// Declares the caches of criteria from key paths stale; Evocation fetches those that are
  /// observed.
  public func invalidate<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>
  ) async throws {
    try await invalidate(model, criteria: criteria.criteria)
  }

  /// Removes the records of a model type's fetches, and keeps the data in the local store.
  ///
  /// The caches then count as never fetched, and observers see no cache.
  public func clearCaches<Model: Sendable>(of model: Model.Type) async throws {
    let source = unaskedCache(of: model).source
    try await (source.ledger ?? environment.ledger).clear(prefix: source.tagPrefix)
  }
}

extension Evocation {
  /// Creates a list that is loaded page by page, for criteria from key paths.
  ///
  /// ```swift
  /// let cars = evocation.pagingCache(
  ///   Car.self, where: \.year >= 1980, pageSize: 50, maxAge: .hours(1))
  /// ```
  ///
  /// - Parameters:
  ///   - model: The registered model type; its id must be encoded as one value.
  ///   - criteria: The models of the list; you can set others later, as its
  ///     ``PagingCacheRepository/requirements``.
  ///   - pageSize: How many models a page has, at least one. A list that began with another size
  ///     keeps that size.
  ///   - maxAge: The age up to which the list counts as fresh; nil for any age.
  ///   - options: How it is fetched, shown and kept.
  /// - Returns: A repository of the list.
  public func pagingCache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria.Of<Model>, pageSize: Int,
    maxAge: Duration? = nil, options: ListOptions = .init()
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    pagingCache(
      model, where: criteria.criteria, pageSize: pageSize, maxAge: maxAge, options: options)
  }

  /// Creates a list that is loaded page by page, for criteria with keys as text.
  ///
  /// Without criteria, the list has all models.
  public func pagingCache<Model: Sendable>(
    _ model: Model.Type, where criteria: Criteria? = nil, pageSize: Int,
    maxAge: Duration? = nil, options: ListOptions = .init()
  ) -> PagingCacheRepository<ProxyPagingCacheDataSource<Model>> {
    let base = ProxyCacheDataSource<Model>(self, maxAge: maxAge, options: options.shared)
    let source = ProxyPagingCacheDataSource(base, pageSize: pageSize, options: options)
    let list = PagingCacheRepository(
      CacheRepository(
        source, environment.ledger, time: CacheTime(environment),
        keepsPages: options.persistsPages, onTrace: environment.onAnyEvent, presence: presence,
        callbackQueue: environment.callbackQueue),
      prefetchDistance: options.prefetchDistance ?? source.pageSize / 2)
    list.requirements = criteria ?? Criteria()
    return list
  }
}

extension CacheTime {
  init(_ environment: Environment) { self = environment.clocks }
}
