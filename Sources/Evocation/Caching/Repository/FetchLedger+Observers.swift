extension FetchLedger {
  /// Forgets when caches were fetched, and tells those who observe them.
  ///
  /// What was cleared, and whose data its source still has, is not shown after it either.
  ///
  /// - Parameter prefix: What the tags begin with; empty for all.
  /// - Throws: What the storage throws.
  public func clear(prefix: String = "") async throws {
    let cleared = try await records(prefix: prefix).filter(\.value.isCleared)
    try await erase(prefix: prefix)
    for (tag, record) in cleared { try await write(record, for: tag) }
    await CacheRegistry.of(self).forget(prefix: prefix)
  }

  /// Declares caches stale, and tells those who observe them, which has them refreshed.
  ///
  /// - Parameter prefix: What the tags begin with; empty for all.
  /// - Throws: What the storage throws.
  public func invalidate(prefix: String = "") async throws {
    try await markInvalidated(prefix: prefix)
    try await CacheRegistry.of(self).invalidate(prefix: prefix)
  }
}
