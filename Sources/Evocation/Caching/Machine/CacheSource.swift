internal import Foundation

/// What one repository gives an entry: how its cache is fetched, saved, read and judged.
///
/// It is made once, from a source of either public protocol, and names no type but the content's.
final class CacheSource<Content: Sendable>: Sendable {
  /// The type of the app's source, by which records and tags of other types are told apart.
  let type: any Any.Type
  package let policy: CachePolicy
  let limits: CacheLimits
  let tagPrefix: String
  let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether the app is active and online, because polling pauses otherwise; nil where unknown.
  let presence: AppPresence?
  /// The store of the source; nil where the app alone knows it.
  let stored: (any StoreCacheDataSource)?
  /// How a list is fetched page by page; nil for a cache.
  package let pages: CachePages?
  /// Whether a list is cut down to its first page at its first use.
  let isCut: Bool
  /// Lets the repository check whether its source has another store now.
  let rebind: @Sendable () -> Void

  /// Fetches all data.
  let fetch: @Sendable () async throws -> FetchedCache
  /// Saves content of the app.
  let update: @Sendable (Content, FetchStamp) async throws -> Void
  /// Deletes the data of a record, or else its own, except for those of other records.
  let delete: @Sendable (_ gone: FetchRecord?, _ others: [FetchRecord]) async throws -> Void
  /// The store's values, as they change.
  let observe: @Sendable () -> StoreObservation<Content>
  private let readCache: @Sendable () async throws -> Content?
  private let readStore: (@Sendable () async throws -> StoreValue<Content>?)?
  private let isEmpty: @Sendable (Content) -> Bool
  private let size: @Sendable (Content) -> Int
  private let codedRequirements: @Sendable () -> Data?

  init<Source: CacheDataSource<Content>>(
    _ source: Source, _ requirements: Source.Requirements, isCut: Bool,
    onTrace: (@Sendable (Evocation.Trace) -> Void)?, presence: AppPresence?,
    rebind: @escaping @Sendable () -> Void
  ) {
    type = Source.self
    policy = CachePolicy(source, requirements)
    limits = source.limits
    tagPrefix = source.tagPrefix
    self.onTrace = onTrace
    self.presence = presence
    self.isCut = isCut
    self.rebind = rebind
    let isMeasured = source.limits.size != nil
    let pages = (source as? any PagingCacheDataSource).flatMap { CachePages($0, requirements) }
    self.pages = pages
    stored = source as? any StoreCacheDataSource
    let store = source as? any StoreCacheDataSource<Content, Source.Requirements>
    fetch = Self.fetching(source, requirements, isMeasured: isMeasured)
    update = { try await source.updateCache($0, requirements: requirements, stamp: $1) }
    delete = { gone, others in
      var wanted: Source.Requirements? = requirements
      if let gone { wanted = Eviction.requirements(of: gone) }
      guard let wanted else { return }
      try await source.deleteCache(wanted, keeping: others.compactMap(Eviction.requirements))
    }
    observe = { store?.observeStore(requirements) ?? Self.observation(source, requirements) }
    readCache = { try await source.readCache(requirements) }
    readStore =
      if pages != nil, let store {
        { try await store.readStore(requirements) }
      } else {
        nil
      }
    isEmpty = { source.isCacheEmpty($0, requirements: requirements) }
    size = { isMeasured ? source.size(of: $0) : 0 }
    codedRequirements = {
      (requirements as? any Encodable).flatMap { try? JSONEncoder().encode($0) }
    }
  }
}

extension CacheSource {
  private static func fetching<Source: CacheDataSource<Content>>(
    _ source: Source, _ requirements: Source.Requirements, isMeasured: Bool
  ) -> @Sendable () async throws -> FetchedCache {
    {
      let fetched = try await source.fetchFreshCache(requirements)
      let content = source.content(of: fetched)
      return FetchedCache(
        fetched, content: content, size: isMeasured ? content.map(source.size) ?? 0 : 0
      ) { _, stamp in
        try await source.saveCache(fetched, requirements: requirements, stamp: stamp)
      }
    }
  }

  private static func observation<Source: CacheDataSource<Content>>(
    _ source: Source, _ requirements: Source.Requirements
  ) -> StoreObservation<Content> {
    StoreObservation { tell in
      for try await cache in source.observeCache(requirements) {
        tell(.value(StoreValue(cache: cache)))
      }
    }
  }

  var typeName: String { "\(type)" }

  /// The name of the source's type in records.
  var kind: String { stableName(of: type) }

  /// Whether the ledger records the date of the last use, because the source has limits.
  var isLimited: Bool { limits != .none }

  func body(_ value: StoreValue<Content>) -> CacheBody<Content> {
    if let extent = value.extent {
      return extent.count == 0 ? .empty : .value(CacheContent(value.cache), extent)
    }
    return isEmpty(value.cache) ? .empty : .value(CacheContent(value.cache))
  }

  /// Reads content to show before the observation's first value; nil where only that value has it.
  func readAtOnce() async throws -> CacheBody<Content>? {
    guard let readStore else {
      return try await readCache().map { body(StoreValue(cache: $0)) }
    }
    return try await readStore().map(body)
  }

  /// Reads the saved content; where the source has no other way, by observing it.
  @inline(__always)
  func read() async throws -> Content? {
    if let cache = try await readCache() { return cache }
    return try await observed()
  }

  private func observed() async throws -> Content? {
    for try await cache in observe().caches { return cache }
    try Task.checkCancellation()
    return nil
  }

  /// Whether the source has no data, or only content that counts as empty.
  func isGone() async throws -> Bool {
    try await read().map(isEmpty) ?? true
  }

  /// Returns the record of content of the app, as if it had been fetched at a date.
  func record(of content: Content?, fetchedAt date: Date) -> FetchRecord {
    record(size: content.map(size) ?? 0, pages: (nil, nil), fetchedAt: date)
  }

  /// Returns the record of fetched data, which are all of a cache, or the first page of a list.
  func record(of fetched: FetchedCache, fetchedAt date: Date) -> FetchRecord {
    record(size: fetched.size, pages: (fetched.next, fetched.previous), fetchedAt: date)
  }

  private func record(
    size: Int, pages: (next: Data?, previous: Data?), fetchedAt date: Date
  ) -> FetchRecord {
    var record = FetchRecord(
      fetchedAt: date, size: size, source: kind, requirements: codedRequirements(),
      store: stored?.recordedName)
    if self.pages != nil {
      record.pages = .ofNewList(next: pages.next, previous: pages.previous)
    }
    return record
  }
}

/// How a source of pages fetches one more page, and cuts its list.
struct CachePages: Sendable {
  /// Fetches the page that these data find.
  let fetch: @Sendable (Data) async throws -> FetchedCache
  /// Deletes all of the list except for its first page.
  let cut: @Sendable () async throws -> Void

  /// Nil for requirements of another type than the source's.
  init?<Source: PagingCacheDataSource>(
    _ source: Source, _ requirements: some CacheRequirements
  ) {
    guard let requirements = requirements as? Source.Requirements else { return nil }
    fetch = { data in
      guard let page = try? Source.FetchResult.page(data) else { throw CacheError.unknownPage }
      let fetched = try await source.fetchFreshCache(requirements, pagingRequirements: page)
      return FetchedCache(fetched, content: fetched.content, size: 0) { position, stamp in
        try await source.saveCache(
          fetched.content, requirements: requirements, pagingRequirements: page, place: position,
          stamp: stamp)
      }
    }
    cut = { try await source.persistOnlyFirstPage(requirements) }
  }
}

/// Fetched data that are not saved yet: all of a cache, or a page of a list.
struct FetchedCache: Sendable {
  /// How many elements they have; one where they are no collection.
  let count: Int
  /// How many times the remote was asked for them.
  let attempts: Int
  /// How many bytes they take, where the source's limits depend on it.
  let size: Int
  /// The requirements of the pages beside them; nil for no page.
  let next: Data?
  let previous: Data?
  /// Saves them, and writes the stamp.
  let save: @Sendable (PagePosition, FetchStamp) async throws -> Void

  init(
    _ fetched: some Sendable, content: (some Sendable)?, size: Int,
    save: @escaping @Sendable (PagePosition, FetchStamp) async throws -> Void
  ) {
    let page = fetched as? any PageNeighbours
    next = page?.nextData
    previous = page?.previousData
    count = page?.count ?? (content as? any Collection)?.count ?? 1
    attempts = ((fetched as? any RetriedFetch) ?? (content as? any RetriedFetch))?.attempts ?? 1
    self.size = size
    self.save = save
  }
}

/// Fetched data that know how many times the remote was asked for them.
protocol RetriedFetch {
  var attempts: Int { get }
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
    guard canFetch else { return .fresh }
    return .of(
      age: age, isInvalidated: isInvalidated, maxAge: maxAge, maxUsableAge: maxUsableAge)
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

extension CachePolicy {
  init<Source: CacheDataSource>(_ source: Source, _ requirements: Source.Requirements) {
    maxAge = source.maxAge(for: requirements)
    maxUsableAge = source.maxUsableAge(for: requirements)
    isAutomatic = source.automaticallyRefresh
    canFetch = source.canFetch
    refreshEvery = source.refreshEvery
  }
}
