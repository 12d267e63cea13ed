internal import Foundation

/// A repository's contribution to an entry: source, requirements and policy.
///
/// A class, because copying generic values costs more than most calls.
final class CacheClient<Source: CacheDataSource>: Sendable {
  let source: Source
  let requirements: Source.Requirements
  let policy: CachePolicy
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether the app is active and online, because polling pauses otherwise; nil where unknown.
  let presence: AppPresence?
  /// Whether the source loads page by page.
  let isPaged: Bool
  /// Whether a list is cut down to its first page at its first use.
  let isCut: Bool
  /// Whether the ledger records the date of the last use, because the source has limits.
  let isLimited: Bool
  /// The store that the source is bound to; nil where it has none.
  let placed: (any PlacedSource)?
  /// Lets the repository check whether its source has another store now.
  let rebind: @Sendable () -> Void
  private let coded = Lock<Data??>(nil)

  init(
    _ source: Source, _ requirements: Source.Requirements, isCut: Bool,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?, _ presence: AppPresence?,
    rebind: @escaping @Sendable () -> Void
  ) {
    self.source = source
    placed = source as? any PlacedSource
    self.rebind = rebind
    self.requirements = requirements
    self.onTrace = onTrace
    self.presence = presence
    self.isCut = isCut
    isLimited = source.limits != .none
    isPaged = source is any PagingCacheDataSource
    policy = CachePolicy(
      maxAge: source.maxAge(for: requirements),
      maxUsableAge: source.maxUsableAge(for: requirements),
      isAutomatic: source.automaticallyRefresh,
      canFetch: source.canFetch,
      refreshEvery: source.refreshEvery
    )
  }

  /// The requirements as the ledger keeps them, encoded when they are first saved.
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

  /// Returns the store's values as they change; nil where the source is no
  /// ``StoreCacheDataSource``.
  func observeStore() -> StoreObservation<Source.Cache>? {
    func opened<Stored: StoreCacheDataSource<Source.Cache>>(
      _ source: Stored
    ) -> StoreObservation<Source.Cache>? {
      (requirements as? Stored.Requirements).map(source.observeStore)
    }
    return (source as? any StoreCacheDataSource<Source.Cache>).flatMap { opened($0) }
  }

  /// Returns the page record of a first page or an update; nil where the source has no pages.
  func pages(_ fetched: Source.FetchResult?) -> PageRecord? {
    guard isPaged else { return nil }
    let page = fetched as? any PageNeighbours
    return .ofNewList(next: page?.nextData, previous: page?.previousData)
  }

  /// Reads content to show before the observation's first value; nil where only that value has it.
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

  /// Reads the saved content; where the source has no other way, by observing it.
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

/// How one repository judges a cache: how old it may be, and when it is refreshed.
struct CachePolicy: Sendable, Equatable {
  var maxAge: Duration?
  var maxUsableAge: Duration?
  var isAutomatic = true
  var canFetch = true
  /// The pause between refreshes of an observed cache; nil where time alone causes none.
  var refreshEvery: Duration?

  /// Returns the freshness for an age; nil means that the age is unknown.
  func freshness(age: Duration?, isInvalidated: Bool) -> Freshness {
    canFetch
      ? .of(age: age, isInvalidated: isInvalidated, maxAge: maxAge, maxUsableAge: maxUsableAge)
      : .fresh
  }

  /// Whether a cache is stale as soon as it is fetched.
  var isStaleAtOnce: Bool { (maxAge ?? maxUsableAge).map { $0 <= .zero } ?? false }

  /// The ages at which the freshness of a cache changes.
  ///
  /// A cache that is stale as soon as it is fetched has none, because refreshing it whenever it is
  /// stale would never end.
  var boundaries: [Duration] {
    guard canFetch else { return [] }
    return [maxAge, maxUsableAge].compactMap(\.self).filter { $0 > .zero }
  }
}
