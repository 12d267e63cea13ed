internal import Foundation

/// A repository's data source, with the requirements that are set.
///
/// Two kinds of data sources can do more than others: one that knows its store observes it with the
/// versions of its values, and one of pages fetches further pages of a list.
final class CacheClient<Source: CacheDataSource>: CacheSource {
  let source: Source
  let requirements: Source.Requirements
  let policy: CachePolicy
  let limits: CacheLimits
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  let presence: AppPresence?
  let stored: (any StoreCacheDataSource)?
  let isCut: Bool
  let rebind: @Sendable () -> Void
  private let store: (any StoreCacheDataSource<Source.Cache, Source.Requirements>)?
  private let paging: (any PagingCacheDataSource)?

  init(
    _ source: Source, _ requirements: Source.Requirements, isCut: Bool,
    onTrace: (@Sendable (Evocation.Trace) -> Void)?, presence: AppPresence?,
    rebind: @escaping @Sendable () -> Void
  ) {
    self.source = source
    self.requirements = requirements
    policy = CachePolicy(source, requirements)
    limits = source.limits
    self.onTrace = onTrace
    self.presence = presence
    self.isCut = isCut
    self.rebind = rebind
    store = source as? any StoreCacheDataSource<Source.Cache, Source.Requirements>
    stored = store
    paging = source as? any PagingCacheDataSource
  }

  var type: any Any.Type { Source.self }

  var tagPrefix: String { source.tagPrefix }

  var isList: Bool { paging != nil }

  func fetch() async throws -> FetchedCache {
    let fetched = try await source.fetchFreshCache(requirements)
    let content = source.content(of: fetched)
    return FetchedCache(fetched, content: content, size: content.map(size) ?? 0) { _, stamp in
      try await self.source.saveCache(fetched, requirements: self.requirements, stamp: stamp)
    }
  }

  func fetchPage(_ data: Data) async throws -> FetchedCache {
    guard let paging else { throw CacheError.unknownPage }
    return try await paging.fetchPage(data, of: requirements)
  }

  func update(_ content: Source.Cache, _ stamp: FetchStamp) async throws {
    try await source.updateCache(content, requirements: requirements, stamp: stamp)
  }

  func delete(_ gone: FetchRecord?, _ others: [FetchRecord]) async throws {
    var wanted: Source.Requirements? = requirements
    if let gone { wanted = gone.requirements(as: Source.Requirements.self) }
    guard let wanted else { return }
    let kept = others.compactMap { $0.requirements(as: Source.Requirements.self) }
    try await source.deleteCache(wanted, keeping: kept)
  }

  func cut() async throws { try await paging?.cut(requirements) }

  func observe() -> StoreObservation<Source.Cache> {
    if let store { return store.observeStore(requirements) }
    return StoreObservation { tell in
      for try await cache in self.source.observeCache(self.requirements) {
        tell(.value(StoreValue(cache: cache)))
      }
    }
  }

  func readCache() async throws -> Source.Cache? { try await source.readCache(requirements) }

  func readAtOnce() async throws -> CacheBody<Source.Cache>? {
    guard isList, let store else {
      return try await readCache().map { body(StoreValue(cache: $0)) }
    }
    return try await store.readStore(requirements).map(body)
  }

  func body(_ value: StoreValue<Source.Cache>) -> CacheBody<Source.Cache> {
    if let extent = value.extent {
      return extent.count == 0 ? .empty : .value(CacheContent(value.cache), extent)
    }
    return isEmpty(value.cache) ? .empty : .value(CacheContent(value.cache))
  }

  func isGone() async throws -> Bool { try await read().map(isEmpty) ?? true }

  func lacks(_ models: any Sendable, _ content: Source.Cache) -> Bool {
    store?.lacks(models, content, of: requirements) ?? false
  }

  func record(of content: Source.Cache?, fetchedAt date: Date) -> FetchRecord {
    var record = FetchRecord(
      fetchedAt: date, size: content.map(size) ?? 0, source: kind,
      requirements: (requirements as? any Encodable).flatMap { try? JSONEncoder().encode($0) },
      store: stored?.recordedName)
    record.service = stored?.registration?.name
    if let stored, !isList { record.coverage = stored.mirrors ? .mirrored : .whole }
    if isList { record.pages = .ofNewList(next: nil, previous: nil) }
    return record
  }

  private func isEmpty(_ content: Source.Cache) -> Bool {
    source.isCacheEmpty(content, requirements: requirements)
  }

  /// How many bytes content takes; zero where no limit depends on it.
  private func size(_ content: Source.Cache) -> Int {
    limits.size == nil ? 0 : source.size(of: content)
  }
}

/// What a client asks of a source of pages, whose requirements it knows as those of its own source.
extension PagingCacheDataSource {
  fileprivate func fetchPage(
    _ data: Data, of requirements: some CacheRequirements
  ) async throws -> FetchedCache {
    guard let requirements = requirements as? Requirements, let page = try? FetchResult.page(data)
    else { throw CacheError.unknownPage }
    let fetched = try await fetchFreshCache(requirements, pagingRequirements: page)
    return FetchedCache(fetched, content: fetched.content, size: 0) { position, stamp in
      try await saveCache(
        fetched.content, requirements: requirements, pagingRequirements: page, place: position,
        stamp: stamp)
    }
  }

  fileprivate func cut(_ requirements: some CacheRequirements) async throws {
    guard let requirements = requirements as? Requirements else { return }
    try await persistOnlyFirstPage(requirements)
  }
}
