extension CacheRepository {
  /// Fetches the cache when it is stale, or at any age, and waits until it is saved and shown.
  ///
  /// A fetch of the same tag that runs already is joined. A fetch that fails leaves the cache as it
  /// was. Cancelling concerns this caller alone: the fetch goes on while another one waits for it.
  ///
  /// - Parameter force: Whether to fetch whatever the age.
  /// - Returns: ``RefreshResult/skipped(_:)`` with `cacheNotTooOld` when there was nothing to do,
  ///   with `cancelled` when the task was cancelled, other requirements were set, or the app wrote.
  /// - Throws: ``CacheError/requirementsNotSet(cache:)`` and
  ///   ``CacheError/tagConflict(tag:source:other:)``.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    let binding = try binding()
    return await binding.entry.refresh(binding.number, binding.client, force ? .always : .whenStale)
  }

  /// Fetches the cache when it was never fetched; when it was, at any age, it succeeds at once.
  ///
  /// - Throws: As ``refresh(force:)``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    let binding = try binding()
    return await binding.entry.refresh(binding.number, binding.client, .whenMissing)
  }

  /// Fetches the cache when it is missing, stale, or failed last time, and returns when that is
  /// done.
  ///
  /// It waits for a fetch that runs already. Without requirements it does nothing. Errors are shown
  /// in the state.
  public func validate() async {
    guard let binding = try? binding() else { return }
    _ = await binding.entry.refresh(binding.number, binding.client, .whenInvalid)
  }
}

extension CacheRepository {
  /// Puts a value into the cache, which then counts as just fetched; nil clears it.
  ///
  /// A fetch that runs meanwhile is older, and does not replace the value.
  ///
  /// - Throws: What the source or the ledger throws, ``CacheError/requirementsNotSet(cache:)``, and
  ///   ``CacheError/notUpdatable(source:)``; the cache is then as it was.
  public func update(_ cache: Source.Cache?) async throws {
    let binding = try binding()
    guard let cache else { return try await binding.entry.clear(binding.client) }
    try await binding.entry.update(cache, binding.client)
  }

  /// Makes the cache one that was never fetched, for all its repositories, and deletes its data.
  ///
  /// Data that another cache of the same source needs are kept.
  public func clear() async throws {
    try await update(nil)
  }

  /// Declares the cache stale, which fetches it where it is observed.
  ///
  /// A fetch that runs is older, and is repeated.
  public func invalidate() async throws {
    try await binding().entry.invalidate()
  }
}

extension CacheRepository {
  /// Sets requirements, prepares their cache, and goes on as a new process would.
  ///
  /// The preparation changes what the source has saved and the ledger's record; nothing is fetched.
  /// A fetch that runs is ended.
  package func restart(
    with requirements: Source.Requirements,
    _ prepare: (CachePreparation<Source>) async throws -> Void
  ) async throws {
    self.requirements = requirements
    let binding = try binding()
    try await binding.entry.restart(binding.client, prepare)
  }
}
