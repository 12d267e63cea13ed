internal import Foundation

/// What one repository brings to the tag that it is set to.
///
/// A class, because to copy what generic types hold costs more than most calls.
final class CacheClient<Source: CacheDataSource>: Sendable {
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
  private let coded = Lock<Data??>(nil)

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

  /// The requirements as the ledger remembers them, coded when they are first saved.
  var codedRequirements: Data? {
    if let known = coded.withLock({ $0 }) { return known }
    let new = (requirements as? any Encodable).flatMap { try? JSONEncoder().encode($0) }
    coded.withLock { $0 = .some(new) }
    return new
  }

  func body(_ cache: Source.Cache) -> CacheBody<Source.Cache> {
    source.isCacheEmpty(cache, requirements: requirements)
      ? .empty : .value(CacheContent(cache))
  }

  func body(_ value: StoreValue<Source.Cache>) -> CacheBody<Source.Cache> {
    guard let extent = value.extent else { return body(value.cache) }
    return extent.count == 0 ? .empty : .value(CacheContent(value.cache), extent)
  }

  /// What the store has, as it changes; nil where the source has no store that tells of itself.
  func observeStore() -> StoreObservation<Source.Cache>? {
    func opened<Stored: StoreCacheDataSource<Source.Cache>>(
      _ source: Stored
    ) -> StoreObservation<Source.Cache>? {
      (requirements as? Stored.Requirements).map(source.observeStore)
    }
    return (source as? any StoreCacheDataSource<Source.Cache>).flatMap { opened($0) }
  }

  /// What is to be remembered of the pages beside a first page, or an update; nil where the source
  /// has none.
  func pages(_ fetched: Source.FetchResult?) -> PageRecord? {
    guard isPaged else { return nil }
    let page = fetched as? any PageNeighbours
    return PageRecord(next: page?.nextData, previous: page?.previousData)
  }

  /// Reads what can be shown before it is observed; nil where only observing tells.
  func readAtOnce() async throws -> CacheBody<Source.Cache>? {
    func opened<Stored: StoreCacheDataSource<Source.Cache>>(
      _ source: Stored
    ) async throws -> StoreValue<Source.Cache>? {
      guard let requirements = requirements as? Stored.Requirements else { return nil }
      return try await source.readStore(requirements)
    }
    guard isPaged, let source = source as? any StoreCacheDataSource<Source.Cache> else {
      return try await self.source.readCache(requirements).map { body($0) }
    }
    return try await opened(source).map { body($0) }
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
