internal import Foundation

/// What one repository gives an entry: how its cache is fetched, saved, read and judged.
///
/// It names no type but the content's, which is all that the repositories of an entry share.
protocol CacheSource<Content>: AnyObject, Sendable {
  associatedtype Content: Sendable

  /// The type of the app's source, by which records and tags of other types are told apart.
  var type: any Any.Type { get }
  var policy: CachePolicy { get }
  var limits: CacheLimits { get }
  var tagPrefix: String { get }
  var onTrace: (@Sendable (Evocation.Trace) -> Void)? { get }
  /// Whether the app is active and online, because polling pauses otherwise; nil where unknown.
  var presence: AppPresence? { get }
  /// The store of the source; nil where the app alone knows it.
  var stored: (any StoreCacheDataSource)? { get }
  /// Whether the cache is a list, which is fetched page by page.
  var isList: Bool { get }
  /// Whether a list is cut down to its first page at its first use.
  var isCut: Bool { get }
  /// Lets the repository check whether its source has another store now.
  var rebind: @Sendable () -> Void { get }

  /// Fetches all data of a cache, or the first page of a list.
  func fetch() async throws -> FetchedCache
  /// Fetches the page of a list that these data find.
  func fetchPage(_ data: Data) async throws -> FetchedCache
  /// Saves content of the app.
  func update(_ content: Content, _ stamp: FetchStamp) async throws
  /// Deletes the data of a record, or else its own, except for those of other records.
  func delete(_ gone: FetchRecord?, _ others: [FetchRecord]) async throws
  /// Deletes all of a list except for its first page.
  func cut() async throws
  /// Returns the store's values, as they change.
  func observe() -> StoreObservation<Content>
  /// Reads the saved content; nil where only observing reads it.
  func readCache() async throws -> Content?
  /// Reads content to show before the observation's first value; nil where only that value has it.
  func readAtOnce() async throws -> CacheBody<Content>?
  /// Returns the value of the store as that of a cache.
  func body(_ value: StoreValue<Content>) -> CacheBody<Content>
  /// Whether the source has no data, or only content that counts as empty.
  func isGone() async throws -> Bool
  /// Whether a list with this content may have to contain some of these models, and does not.
  func lacks(_ models: any Sendable, _ content: Content) -> Bool
  /// Returns the record of content of the app, as if it had been fetched at a date.
  func record(of content: Content?, fetchedAt date: Date) -> FetchRecord
}

extension CacheSource {
  /// The name of the source's type in records.
  var kind: String { stableName(of: type) }

  /// Whether the ledger records the date of the last use, because the source has limits.
  var isLimited: Bool { limits != .none }

  /// Returns the record of fetched data, which are all of a cache, or the first page of a list.
  func record(of fetched: FetchedCache, fetchedAt date: Date) -> FetchRecord {
    var record = record(of: nil, fetchedAt: date)
    record.size = fetched.size
    record.leftOut = fetched.leftOut
    if isList { record.pages = .ofNewList(next: fetched.next, previous: fetched.previous) }
    return record
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
}

/// Fetched data that are not saved yet: all of a cache, or a page of a list.
struct FetchedCache: Sendable {
  /// How many elements they have; one where they are no collection.
  let count: Int
  /// How many times the remote was asked for them.
  let attempts: Int
  /// How many elements of the answer are missing; nil for none.
  let leftOut: Int?
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
    let fetch = (fetched as? any RetriedFetch) ?? (content as? any RetriedFetch)
    attempts = fetch?.attempts ?? 1
    leftOut = fetch?.leftOut
    self.size = size
    self.save = save
  }
}

/// Fetched data that know how the remote answered.
protocol RetriedFetch {
  /// How many times it was asked.
  var attempts: Int { get }
  /// How many elements of its answer were left out; nil for none.
  var leftOut: Int? { get }
}

/// How one repository judges a cache: how old it may be, and when it is refreshed.
struct CachePolicy: Sendable, Hashable {
  var maxAge: Duration?
  var maxUsableAge: Duration?
  var isAutomatic = true
  var canFetch = true
  /// Whether it counts on the store to have nothing that the service has removed.
  var mirrors = false
  /// Whether a refresh leaves only the first page of a longer list.
  var isShortened = false
  /// Whether the store may have models that match although the cache was never fetched.
  var isOfStore = false
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
    let stored = source as? any StoreCacheDataSource
    mirrors = stored?.mirrors ?? false
    isShortened = stored?.isShortenedByRefresh ?? false
    isOfStore = stored != nil
    refreshEvery = source.refreshEvery
  }
}
