/// What one repository brings to the tag that it is set to.
struct CacheSeat<Source: CacheDataSource>: Sendable {
  let source: Source
  let requirements: Source.Requirements
  let policy: CachePolicy
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether the source loads page by page.
  let isPaged: Bool
  /// Whether a list is cut down to its first page when it is first used.
  let isCut: Bool

  init(
    _ source: Source, _ requirements: Source.Requirements, isCut: Bool,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?
  ) {
    self.source = source
    self.requirements = requirements
    self.onTrace = onTrace
    self.isCut = isCut
    isPaged = source is any PagingCacheDataSource
    policy = CachePolicy(
      maxAge: source.maxAge(for: requirements),
      maxUsableAge: source.maxUsableAge(for: requirements),
      isAutomatic: source.automaticallyRefresh,
      canFetch: source.canFetch
    )
  }

  func body(_ cache: Source.Cache) -> CacheMachine<Source.Cache>.Body {
    source.isCacheEmpty(cache, requirements: requirements) ? .empty : .value(cache)
  }

  /// Reads what is saved now, by observing it where there is no other way.
  func read() async throws -> Source.Cache? {
    if let cache = try await source.readCache(requirements) { return cache }
    for try await cache in source.observeCache(requirements) { return cache }
    try Task.checkCancellation()
    return nil
  }
}
