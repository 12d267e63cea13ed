extension CacheRepository {
  /// Puts something into the cache, which then counts as freshly fetched; nil clears it.
  ///
  /// A fetch that runs meanwhile is older, and does not win over it.
  ///
  /// - Throws: What the source or the ledger throws, ``CacheError/requirementsNotSet(cache:)``, and
  ///   ``CacheError/notUpdatable(source:)``; the cache is then as it was.
  public func update(_ cache: Source.Cache?) async throws {
    let binding = try binding()
    guard let cache else { return try await binding.entry.clear(binding.client) }
    try await binding.entry.update(cache, binding.client)
  }

  /// Makes the cache one that was never fetched, for everybody, and deletes its data.
  ///
  /// Data that another cache of the same source needs stay.
  public func clear() async throws {
    try await update(nil)
  }

  /// Declares the cache stale, which has it fetched where it is observed.
  ///
  /// A fetch that runs begins anew, because it is older.
  public func invalidate() async throws {
    try await binding().entry.invalidate()
  }
}
