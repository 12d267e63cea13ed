/// What one repository brings to the tag that it is set to.
///
/// A class, because to copy what generic types hold costs more than most calls.
final class CacheSeat<Source: CacheDataSource>: Sendable {
  let source: Source
  let requirements: Source.Requirements
  let policy: CachePolicy
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether the source loads page by page.
  let isPaged: Bool
  /// Whether a list is cut down to its first page when it is first used.
  let isCut: Bool
  /// Whether it has to be known when the cache was last used.
  let isLimited: Bool

  init(
    _ source: Source, _ requirements: Source.Requirements, isCut: Bool,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?
  ) {
    self.source = source
    self.requirements = requirements
    self.onTrace = onTrace
    self.isCut = isCut
    isLimited = source.limits != .none
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
  @inline(__always)
  func read() async throws -> Source.Cache? {
    if let cache = try await source.readCache(requirements) { return cache }
    return try await observed()
  }

  private func observed() async throws -> Source.Cache? {
    for try await cache in source.observeCache(requirements) { return cache }
    try Task.checkCancellation()
    return nil
  }
}
