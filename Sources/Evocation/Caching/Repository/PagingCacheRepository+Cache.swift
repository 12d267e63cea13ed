extension PagingCacheRepository {
  /// The present state of the list, without observing it; as ``CacheRepository/state``.
  public var state: CacheState<PagedCache<Source.Cache>>? { cache.state?.paged }

  /// Gives the present state of the list, and then each later one; as ``CacheRepository`` does.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<PagedCache<Source.Cache>>> {
    PagedStates(states: cache.states(forceRefresh: forceRefresh))
  }

  /// Calls back with the present state of the list, and then with each later one.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<PagedCache<Source.Cache>>) -> Void
  ) -> Evocation.Observation {
    cache.observe(forceRefresh: forceRefresh) { callback($0.paged) }
  }

  /// Fetches the first page when the list is stale, or at any age, and replaces the list.
  ///
  /// - Throws: As ``CacheRepository/refresh(force:)``.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    try await cache.refresh(force: force)
  }

  /// Fetches the first page when the list was never fetched.
  ///
  /// - Throws: As ``CacheRepository/refresh(force:)``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await cache.refreshIfNoCache()
  }

  /// Fetches the first page when the list is missing, stale, or failed last time.
  public func validate() async {
    await cache.validate()
  }

  /// Replaces the list by one that counts as just fetched, and has no further pages.
  ///
  /// - Throws: As ``CacheRepository/update(_:)``.
  public func update(_ list: Source.Cache?) async throws {
    try await cache.update(list)
  }

  /// Makes the list one that was never fetched, and deletes it.
  ///
  /// - Throws: As ``CacheRepository/clear()``.
  public func clear() async throws {
    try await cache.clear()
  }

  /// Declares the list stale.
  ///
  /// - Throws: As ``CacheRepository/invalidate()``.
  public func invalidate() async throws {
    try await cache.invalidate()
  }

  /// Gives the loaded part of the list, once.
  ///
  /// - Throws: As ``CacheRepository/value(from:)``.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    try await cache.value(from: origin)
  }

  /// Gives the loaded part of the list, once; nil where ``value(from:)`` throws.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    await cache.valueIfAvailable(from: origin)
  }
}
