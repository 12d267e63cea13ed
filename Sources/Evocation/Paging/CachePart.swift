/// A part of a cache, and where it lies in the whole.
struct CachePart<Cache: Sendable>: Sendable {
  var cache: Cache
  var extent: CacheExtent
}

/// A source that says which part of a whole it gives.
protocol PartedCacheDataSource<Cache>: CacheDataSource {
  /// Gives the part that is looked at, and then again whenever it changes.
  func observeParts(
    _ requirements: Requirements
  ) -> AsyncThrowingStream<CachePart<Cache>, any Error>

  /// Reads the part that is looked at.
  func readPart(_ requirements: Requirements) async throws -> CachePart<Cache>?

  /// Whether what the ledger remembers of a tag is there.
  ///
  /// - Throws: ``ListDamage`` where it cannot be what it was.
  func isKept(_ tag: String) async throws -> Bool

  /// Whether what the ledger remembers of a tag is not there, or cannot be what it was.
  func isDamaged(_ tag: String) async throws -> Bool

  /// Forgets what is kept of a tag, apart from the models.
  func drop(_ tag: String) async throws
}
