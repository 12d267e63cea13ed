internal import Foundation

extension CacheDataSource {
  /// No maximum age: never stale.
  public var maxAge: Duration? { nil }

  /// No greatest usable age.
  public var maxUsableAge: Duration? { nil }

  /// True: a stale or missing cache is fetched when it is observed.
  public var automaticallyRefresh: Bool { true }

  /// True: there is an origin to fetch from.
  public var canFetch: Bool { true }

  /// Empty: the tags have no common beginning.
  public var tagPrefix: String { "" }

  /// Nil: the ledger is the one that the repository is made with.
  public var ledger: (any FetchLedger)? { nil }

  /// No limits: nothing is dropped.
  public var limits: CacheLimits { .none }

  /// ``maxAge``, whatever the requirements.
  public func maxAge(for requirements: Requirements) -> Duration? { maxAge }

  /// ``maxUsableAge``, whatever the requirements.
  public func maxUsableAge(for requirements: Requirements) -> Duration? { maxUsableAge }

  /// The requirements' own tag.
  public func tag(for requirements: Requirements) -> String { requirements.tag }

  /// Saves, and then writes the stamp.
  public func saveCache(
    _ fetched: FetchResult, requirements: Requirements, stamp: FetchStamp
  ) async throws {
    try await saveCache(fetched, requirements: requirements)
    try await stamp.write()
  }

  /// Saves the cache as if it had been fetched.
  ///
  /// - Throws: ``CacheError/notUpdatable(source:)`` where a fetch gives another type.
  public func updateCache(
    _ cache: Cache, requirements: Requirements, stamp: FetchStamp
  ) async throws {
    guard let fetched = cache as? FetchResult else {
      throw CacheError.notUpdatable(source: "\(Self.self)")
    }
    try await saveCache(fetched, requirements: requirements, stamp: stamp)
  }

  /// Leaves the data where they are.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {}

  /// Leaves it to observing.
  public func readCache(_ requirements: Requirements) async throws -> Cache? { nil }

  /// False; a cache that is no collection is never empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { false }

  /// The fetch itself, where it is of the cache's type.
  public func content(of fetched: FetchResult) -> Cache? { fetched as? Cache }

  /// The length as JSON, or zero for what has none.
  public func size(of cache: Cache) -> Int {
    guard let cache = cache as? any Encodable else { return 0 }
    return (try? JSONEncoder().encode(cache).count) ?? 0
  }
}

extension CacheDataSource where Cache: Collection {
  /// Whether the collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { cache.isEmpty }
}
