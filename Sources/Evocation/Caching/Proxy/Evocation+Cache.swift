extension Evocation {
  /// Makes a cache of a registered model type.
  ///
  /// ```swift
  /// let cars = Evocation.shared.cache(for: Car.self, maxAge: .seconds(5 * 3600))
  /// cars.requirements = ["year": 2002]
  /// ```
  ///
  /// A type that is not registered is not refused here: its fetches fail, with the sentence that says
  /// so.
  ///
  /// - Parameters:
  ///   - model: The registered model type.
  ///   - maxAge: How old the cache may be and count as fresh; nil for any age.
  ///   - maxUsableAge: How old it may be and still be shown; nil for any age.
  ///   - limits: How much is kept of what nobody observes, of all caches of this model type.
  ///   - saving: Whether what the service no longer has is removed from the local repository.
  ///   - automaticallyRefresh: Whether a stale or missing cache is fetched when it is observed.
  /// - Returns: A repository without requirements.
  public func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, maxUsableAge: Duration? = nil,
    limits: CacheLimits = .none, saving: ProxyCacheDataSource<Model>.Saving = .mirror,
    automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    let source = ProxyCacheDataSource<Model>(
      self, maxAge: maxAge, maxUsableAge: maxUsableAge, limits: limits, saving: saving,
      automaticallyRefresh: automaticallyRefresh)
    return CacheRepository(
      source, environment.ledger, CacheTime(environment), keepsPages: true, environment.onTrace)
  }

  /// Makes a cache of a registered model type, through ``shared``.
  public static func cache<Model: Sendable>(
    for model: Model.Type, maxAge: Duration? = nil, maxUsableAge: Duration? = nil,
    limits: CacheLimits = .none, saving: ProxyCacheDataSource<Model>.Saving = .mirror,
    automaticallyRefresh: Bool = true
  ) -> CacheRepository<ProxyCacheDataSource<Model>> {
    shared.cache(
      for: model, maxAge: maxAge, maxUsableAge: maxUsableAge, limits: limits, saving: saving,
      automaticallyRefresh: automaticallyRefresh)
  }

  /// Declares caches of a model type stale, which has those fetched that are observed.
  ///
  /// Without criteria it is all caches of the model type, or those whose criteria's tags begin with
  /// a prefix.
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

  /// Forgets when the caches of a model type were fetched; their data stay where they are.
  ///
  /// Those who observe are told that there is no cache.
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
