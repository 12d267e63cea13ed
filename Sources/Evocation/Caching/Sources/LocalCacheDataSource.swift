/// A source of a cache that only your app fills, because there is nothing to fetch it from.
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
/// ``CacheRepository`` observes and writes it like any other cache. Its state is never `noCache` and
/// never refreshing. The cache is empty until your app calls ``CacheRepository/update(_:)``. Observers
/// also see data that were saved by other means, with `Date.distantPast` as their date.
///
/// After ``CacheRepository/clear()`` the cache is empty for all observers. If
/// ``CacheDataSource/deleteCache(_:keeping:)`` does not delete the data, the ledger records that
/// states do not show them, until your app calls ``CacheRepository/update(_:)`` again. With a
/// ledger that outlives the process, this also holds after a restart.
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
