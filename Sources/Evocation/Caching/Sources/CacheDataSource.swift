internal import Foundation

/// Fetches, saves and observes one kind of cached data; an app writes it.
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
/// What a function throws is shown in the state, and is the ``RefreshResult/failed(_:)`` of those
/// who asked for a refresh. A failed fetch or save never changes what is cached.
public protocol CacheDataSource<Cache>: Sendable {
  /// What is cached.
  associatedtype Cache: Sendable

  /// What the cache is asked for.
  associatedtype Requirements: CacheRequirements

  /// What a fetch gives, to be saved.
  associatedtype FetchResult: Sendable

  /// How old the cache may be and still count as fresh; nil for any age.
  ///
  /// A cache of exactly this age is fresh. With zero, or less, it is stale as soon as it is
  /// fetched.
  var maxAge: Duration? { get }

  /// How old the cache may be and still be shown while it is refreshed; nil for any age.
  ///
  /// An older one counts as missing until it has been refreshed.
  var maxUsableAge: Duration? { get }

  /// Whether a stale or missing cache is fetched when it is observed, and when it becomes stale.
  var automaticallyRefresh: Bool { get }

  /// After which pause the cache is fetched again while it is observed; nil for none.
  ///
  /// The pause begins when a fetch has ended, so that there are never two at once. After failures
  /// it is longer, up to sixteen times. An interval that is not above zero is an error of all uses
  /// of the cache, ``CacheError/intervalNotPositive(cache:)``.
  var refreshEvery: Duration? { get }

  /// Whether there is a service to fetch from; if not, the app alone fills the cache.
  var canFetch: Bool { get }

  /// The ledger of this source's caches; nil for the one that the repository was given.
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

  /// Fetches the data to cache.
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

  /// Gives what is saved, now and whenever it changes.
  ///
  /// It is called each time that observing begins, and after each save. A stream that ends without
  /// a value says that nothing is saved.
  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<Cache, any Error>

  /// Reads what is saved now; nil where that is only known by observing.
  func readCache(_ requirements: Requirements) async throws -> Cache?

  /// Whether a cache counts as empty; by default, whether a collection is.
  func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool

  /// Gives the content that a fetch puts into the cache, to measure its size; nil where not known.
  ///
  /// By default it is the result of the fetch, where that has the cache's type.
  func content(of fetched: FetchResult) -> Cache?

  /// How many bytes a cache takes, for ``CacheLimits/size``; by default its length as JSON.
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

  /// Nil: the ledger is the one that the repository is made with.
  public var ledger: (any FetchLedger)? { nil }

  /// No limits: nothing is deleted.
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

  /// Does nothing: the data stay where they are.
  public func deleteCache(_ requirements: Requirements, keeping others: [Requirements]) async throws
  {}

  /// Nil: what is saved is known by observing.
  public func readCache(_ requirements: Requirements) async throws -> Cache? { nil }

  /// False: a cache that is not a collection is never empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { false }

  /// The result of the fetch, where that has the cache's type.
  public func content(of fetched: FetchResult) -> Cache? { fetched as? Cache }

  /// The length as JSON, or zero for what cannot be encoded.
  public func size(of cache: Cache) -> Int {
    guard let cache = cache as? any Encodable else { return 0 }
    return (try? JSONEncoder().encode(cache).count) ?? 0
  }
}

extension CacheDataSource where Cache: Collection {
  /// Whether the collection is empty.
  public func isCacheEmpty(_ cache: Cache, requirements: Requirements) -> Bool { cache.isEmpty }
}
