extension PagingCacheRepository {
  /// The present state of the list, without observing it; as ``CacheRepository/state``.
  public var state: CacheState<PagedCache<Source.Cache>>? { cache.state?.paged }

  /// Returns the present state of the list, and then each later one; as ``CacheRepository`` does.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<PagedCache<Source.Cache>>> {
    cache.states(forceRefresh: forceRefresh).observedMap(\.paged)
  }

  /// Calls back with the present state of the list, and then with each later one.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<PagedCache<Source.Cache>>) -> Void
  ) -> Evocation.Observation {
    cache.observe(forceRefresh: forceRefresh) { callback($0.paged) }
  }

  /// Fetches the first page if the list is stale, or at any age, and replaces the list.
  ///
  /// - Throws: The errors of ``CacheRepository/refresh(force:)``.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    try await cache.refresh(force: force)
  }

  /// Fetches the first page if the list is missing: never fetched, cleared, or too old to be shown.
  ///
  /// - Throws: The errors of ``CacheRepository/refresh(force:)``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await cache.refreshIfNoCache()
  }

  /// Fetches the first page if the list is missing, stale, or failed last time.
  public func validate() async {
    await cache.validate()
  }

  /// Replaces the list by one that counts as just fetched, and has no further pages; nil clears it.
  ///
  /// - Throws: The errors of ``CacheRepository/update(_:)``.
  public func update(_ list: Source.Cache?) async throws {
    try await cache.update(list)
  }

  /// Deletes the list, and makes it one that was never fetched.
  ///
  /// - Throws: The errors of ``CacheRepository/clear()``.
  public func clear() async throws {
    try await cache.clear()
  }

  /// Declares the list stale; Evocation fetches it again if it is observed.
  ///
  /// - Throws: The errors of ``CacheRepository/invalidate()``.
  public func invalidate() async throws {
    try await cache.invalidate()
  }

  /// Returns the loaded part of the list, once.
  ///
  /// - Throws: The errors of ``CacheRepository/value(from:)``.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    try await cache.value(from: origin)
  }

  /// Returns the loaded part of the list, once; nil where ``value(from:)`` throws.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    await cache.valueIfAvailable(from: origin)
  }
}

extension CacheState {
  /// The state of a list, whose content includes the loading of further pages.
  var paged: CacheState<PagedCache<Cache>> {
    convert { cache in cache.map { PagedCache($0, of: self) } }
  }
}

extension PagedCache {
  fileprivate init(_ cache: Cache, of state: CacheState<Cache>) {
    self.init(
      cache, areMorePages: state.areMorePages, areMorePreviousPages: state.areMorePreviousPages,
      next: state.next, previous: state.previous, range: state.extent?.range,
      count: state.extent?.count)
  }
}
