internal import Foundation

/// Fetches, saves and observes one kind of cached data; your app implements it.
///
/// ```swift
/// struct SettingsSource: CacheDataSource {
///   let file: SettingsFile
///   let service: SettingsService
///   let maxAge: Duration? = .seconds(3600)
///
///   func fetchFreshCache(_ requirements: CacheTag) async throws -> Settings {
///     try await service.settings()
///   }
///   func saveCache(_ fetched: Settings, requirements: CacheTag) async throws {
///     try await file.write(fetched)
///   }
///   func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<Settings, any Error> {
///     file.values()
///   }
///   func isCacheEmpty(_ cache: Settings, requirements: CacheTag) -> Bool { cache.isEmpty }
/// }
/// ```
///
/// ## Execution
///
/// Evocation may call the functions from any thread. For one tag (the cache key) it runs at most
/// one fetch and one save at a time.
///
/// ## Errors
///
/// States show the error that a function throws, and callers that requested a refresh receive it as
/// ``RefreshResult/failed(_:)``. A failed fetch or save never changes the cached data.
public protocol CacheDataSource<Cache>: Sendable {
  /// The cached data.
  associatedtype Cache: Sendable

  /// The query whose data are cached.
  associatedtype Requirements: CacheRequirements

  /// The result of a fetch, which is then saved.
  associatedtype FetchResult: Sendable

  /// How old the cache may be and still count as fresh; nil for any age.
  ///
  /// A cache of exactly this age is fresh. With zero, or less, the cache is stale as soon as it is
  /// fetched.
  var maxAge: Duration? { get }

  /// How old the cache may be for states to show it during a refresh; nil for any age.
  ///
  /// An older cache counts as missing until it has been refreshed.
  var maxUsableAge: Duration? { get }

  /// Whether a stale or missing cache is fetched when it is observed, and when it becomes stale.
  var automaticallyRefresh: Bool { get }

  /// The pause after which Evocation fetches an observed cache again; nil for never.
  ///
  /// The pause begins when a fetch has ended, so that two never run at the same time. After
  /// failures the pause is longer, up to sixteen times. With an interval that is not above zero,
  /// all uses of the cache fail with ``CacheError/intervalNotPositive(cache:)``.
  var refreshEvery: Duration? { get }

  /// Whether there is a service to fetch from; if not, only your app fills the cache.
  var canFetch: Bool { get }

  /// The ledger of this source's caches; nil for the one that the repository received.
  ///
  /// It is the record of when each query was last fetched.
  var ledger: (any FetchLedger)? { get }

  /// How much Evocation keeps of the caches without observers.
  var limits: CacheLimits { get }

  /// Returns the maximum age for these requirements; ``maxAge`` by default.
  func maxAge(for requirements: Requirements) -> Duration?

  /// Returns the greatest usable age for these requirements; ``maxUsableAge`` by default.
  func maxUsableAge(for requirements: Requirements) -> Duration?

  /// Returns the tag (the cache key) of these requirements; their own by default.
  func tag(for requirements: Requirements) -> String

  /// The beginning of the tags of all requirements.
  var tagPrefix: String { get }

  /// Fetches the data to cache.
  func fetchFreshCache(_ requirements: Requirements) async throws -> FetchResult

  /// Saves fetched data, in place of the data that were saved before.
  func saveCache(_ fetched: FetchResult, requirements: Requirements) async throws

  /// Saves fetched data and writes the stamp, in one transaction if the store can.
  ///
  /// The default saves, and then writes the stamp.
  func saveCache(
    _ fetched: FetchResult, requirements: Requirements, stamp: FetchStamp
  ) async throws

  /// Saves content that your app passes to ``CacheRepository/update(_:)``.
  ///
  /// The default saves it like fetched data, where a fetch has the same type.
  func updateCache(_ cache: Cache, requirements: Requirements, stamp: FetchStamp) async throws

  /// Deletes the saved data, except those that other caches need; the default keeps everything.
  ///
  /// States do not show a cleared cache, whether its data were deleted or not.
  func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws

  /// Returns a stream of the saved data: as they are now, and again after each change.
  ///
  /// Evocation calls it each time that observing begins, and again after a save. A stream that ends
  /// without a value means that nothing is saved.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Returns the data that are saved now; nil where only observing reads them.
  func readCache(_ requirements: Requirements) async throws -> Cache?

  /// Returns whether a cache counts as empty; by default, whether a collection is empty.
  func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool

  /// Returns the content of a fetch's result, to measure its size; nil where unknown.
  ///
  /// By default, it is the result itself, where that has the cache's type.
  func content(of fetched: FetchResult) -> Cache?

  /// Returns how many bytes a cache takes, for ``CacheLimits/size``; by default its length as JSON.
  func size(of cache: Cache) -> Int
}

extension CacheDataSource {
  /// Nil: a cache never becomes stale.
  public var maxAge: Duration? { nil }

  /// Nil: a cache of any age is shown.
  public var maxUsableAge: Duration? { nil }

  /// True: a stale or missing cache is fetched when it is observed.
  public var automaticallyRefresh: Bool { true }

  /// Nil: a cache is not fetched again as long as it is fresh.
  public var refreshEvery: Duration? { nil }

  /// True: there is a service to fetch from.
  public var canFetch: Bool { true }

  /// Empty: the tags have no common beginning.
  public var tagPrefix: String { "" }

  /// Nil: the ledger is the one that the repository received.
  public var ledger: (any FetchLedger)? { nil }

  /// No limits: Evocation deletes nothing.
  public var limits: CacheLimits { .none }

  /// Returns ``maxAge``, for any requirements.
  public func maxAge(for requirements: Requirements) -> Duration? { maxAge }

  /// Returns ``maxUsableAge``, for any requirements.
  public func maxUsableAge(for requirements: Requirements) -> Duration? { maxUsableAge }

  /// Returns the requirements' own tag.
  public func tag(for requirements: Requirements) -> String { requirements.tag }

  /// Saves, and then writes the stamp.
  public func saveCache(
    _ fetched: FetchResult, requirements: Requirements, stamp: FetchStamp
  ) async throws {
    try await saveCache(fetched, requirements: requirements)
    try await stamp.write()
  }

  /// Saves the cache like fetched data.
  ///
  /// - Throws: ``CacheError/notUpdatable(source:)`` where a fetch returns another type, and the errors
  ///   of the save.
  public func updateCache(
    _ cache: Cache, requirements: Requirements, stamp: FetchStamp
  ) async throws {
    guard let fetched = cache as? FetchResult else {
      throw CacheError.notUpdatable(source: "\(Self.self)")
    }
    try await saveCache(fetched, requirements: requirements, stamp: stamp)
  }

  /// Does nothing: the data stay saved.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {}

  /// Returns nil: only observing reads the saved data.
  public func readCache(_ requirements: Requirements) async throws -> Cache? { nil }

  /// Returns false: a cache that is not a collection is never empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { false }

  /// Returns the result of the fetch, where that has the cache's type.
  public func content(of fetched: FetchResult) -> Cache? { fetched as? Cache }

  /// Returns the length as JSON, or zero for content that cannot be encoded.
  public func size(of cache: Cache) -> Int {
    guard let cache = cache as? any Encodable else { return 0 }
    return (try? JSONEncoder().encode(cache).count) ?? 0
  }
}

extension CacheDataSource where Cache: Collection {
  /// Returns whether the collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { cache.isEmpty }
}
