/// A source of a cache that the app alone fills, because there is nothing to fetch it from.
///
/// ```swift
/// struct UsernameSource: LocalCacheDataSource {
///   let file: TextFile
///
///   func saveCache(_ cache: String, requirements: CacheTag) async throws {
///     try await file.write(cache)
///   }
///   func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
///     file.values()
///   }
///   func isCacheEmpty(_ cache: String, requirements: CacheTag) -> Bool { cache.isEmpty }
/// }
/// ```
///
/// It is observed and written by ``CacheRepository`` like any other. Its state is never `noCache`
/// and never refreshing: it is empty until the app calls ``CacheRepository/update(_:)``. What was
/// saved by other means is observed too, with `Date.distantPast` as its date.
///
/// After ``CacheRepository/clear()`` it is empty for all observers. Where the source does not
/// delete its data, by ``CacheDataSource/deleteCache(_:keeping:)``, the ledger records that they
/// are not shown, until the app calls ``CacheRepository/update(_:)`` again; also after a restart,
/// where the ledger outlives the process.
public protocol LocalCacheDataSource<Cache>: CacheDataSource where FetchResult == Cache {}

extension LocalCacheDataSource {
  /// False: there is nothing to fetch from.
  public var canFetch: Bool { false }

  /// Always fails.
  ///
  /// - Throws: ``CacheError/noOrigin(source:)``; a repository never calls it.
  public func fetchFreshCache(_ requirements: Requirements) async throws -> Cache {
    throw CacheError.noOrigin(source: "\(Self.self)")
  }
}
