/// How a cache is fetched, saved and observed: what an app writes for one kind of cached data.
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
/// The functions may be called from any thread. For one tag there is at most one fetch at a time,
/// and one save.
///
/// ## Errors
///
/// Whatever a function throws is shown in the state, and told to the callers of a refresh as
/// ``RefreshResult/failed(_:)``. A failed fetch or save never touches what is cached.
public protocol CacheDataSource<Cache>: Sendable {
  /// What is cached.
  associatedtype Cache: Sendable

  /// What the cache is asked for.
  associatedtype Requirements: CacheRequirements

  /// What a fetch gives, to be saved.
  associatedtype FetchResult: Sendable

  /// How old the cache may be and still count as fresh; nil for any age.
  ///
  /// A cache exactly as old is still fresh. With zero, or less, it is stale as soon as it is there.
  var maxAge: Duration? { get }

  /// How old the cache may be and still be shown while it is refreshed; nil for any age.
  ///
  /// An older one is not given to anybody, as if it were not there, until it has been refreshed.
  var maxUsableAge: Duration? { get }

  /// Whether a stale or missing cache is fetched when it is observed, and when it becomes stale.
  var automaticallyRefresh: Bool { get }

  /// Whether there is anything to fetch from; without, the app alone fills the cache.
  var canFetch: Bool { get }

  /// Where it is remembered when each cache was fetched; nil for what the repository was given.
  var ledger: (any FetchLedger)? { get }

  /// How much is kept of the caches that are not observed.
  var limits: CacheLimits { get }

  /// The maximum age for these requirements; ``maxAge`` by default.
  func maxAge(for requirements: Requirements) -> Duration?

  /// The greatest usable age for these requirements; ``maxUsableAge`` by default.
  func maxUsableAge(for requirements: Requirements) -> Duration?

  /// The tag of these requirements in the ledger; their own by default.
  func tag(for requirements: Requirements) -> String

  /// What the tags of all requirements begin with.
  var tagPrefix: String { get }

  /// Fetches what is to be cached.
  func fetchFreshCache(_ requirements: Requirements) async throws -> FetchResult

  /// Saves what was fetched, in place of what was saved before.
  func saveCache(_ fetched: FetchResult, requirements: Requirements) async throws

  /// Saves what was fetched and writes the stamp, in one transaction if the store can.
  ///
  /// The default saves, and then writes the stamp.
  func saveCache(
    _ fetched: FetchResult, requirements: Requirements, stamp: FetchStamp
  ) async throws

  /// Saves what the app itself puts into the cache.
  ///
  /// The default saves it as if it had been fetched, where a fetch gives the same type.
  func updateCache(_ cache: Cache, requirements: Requirements, stamp: FetchStamp) async throws

  /// Deletes what is saved, apart from what other caches need; the default leaves it where it is.
  ///
  /// A cache that was cleared is not shown, whether its data were deleted or not.
  func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws

  /// Gives what is saved now, and then again whenever it changes.
  ///
  /// It is called each time that observing begins, and after each save. A stream that ends without
  /// a value says that nothing is saved.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Reads what is saved now, or gives nil where only observing tells.
  func readCache(_ requirements: Requirements) async throws -> Cache?

  /// Whether there is nothing in the cache; by default, whether a collection is empty.
  func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool

  /// Gives what of a fetch will be in the cache, to be measured; nil where only the store knows.
  ///
  /// By default it is the fetch itself, where it is of the cache's type.
  func content(of fetched: FetchResult) -> Cache?

  /// How many bytes a cache takes, for ``CacheLimits/size``; by default its length as JSON.
  func size(of cache: Cache) -> Int
}
