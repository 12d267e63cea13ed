public import Foundation

extension CacheRepository {
  /// Fetches the cache if it is stale, or at any age, and waits until states show it.
  ///
  /// The call joins a fetch of the same tag (the cache key) that already runs. A fetch that fails
  /// leaves the cache unchanged. Canceling affects this caller alone: the fetch runs on while
  /// another caller waits for it.
  ///
  /// - Parameter force: Whether to fetch at any age.
  /// - Returns: ``RefreshResult/skipped(_:)`` with `cacheNotTooOld` when there was nothing to do,
  ///   and with `cancelled` when the task was canceled, other requirements were set, or your app
  ///   wrote the cache.
  /// - Throws: ``CacheError/requirementsNotSet(cache:)``,
  ///   ``CacheError/tagConflict(tag:source:other:)`` and
  ///   ``CacheError/intervalNotPositive(cache:)``.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    try await refresh(force ? .always : .whenStale)
  }

  /// Fetches the cache at any age, and counts the fetched pages of a list in a progress.
  ///
  /// ```swift
  /// let progress = Progress(totalUnitCount: -1)
  /// let refreshing = Task { try await list.cache.refresh(progress: progress) }
  /// ```
  ///
  /// A view shows the progress. It has as many units as pages are fetched, if the list's refreshes
  /// fetch all pages, and is indeterminate otherwise, and for a call that joins a fetch that already
  /// runs. Canceling it is as canceling the task: the call ends, also while a request is under way,
  /// and the fetch with it unless another caller waits for it. When the call returns, the progress is
  /// finished, also after an error, unless your app has canceled it.
  ///
  /// - Returns: The result of ``refresh(force:)``.
  /// - Throws: The errors of ``refresh(force:)``.
  @discardableResult
  public func refresh(progress: Progress) async throws(CacheError) -> RefreshResult {
    let end = await FetchProgress.run(progress, isDone: { $0.isSuccessful }) {
      () -> Result<CacheLoad.End, CacheError> in
      do throws(CacheError) {
        let binding = try self.binding()
        return .success(
          await binding.entry.refresh(binding.number, binding.client, condition: .always))
      } catch {
        return .failure(error)
      }
    }
    return RefreshResult(try end.get())
  }

  /// Fetches the cache if it is missing: never fetched, cleared, or too old to be shown.
  ///
  /// If it is not missing, the call succeeds immediately.
  ///
  /// - Throws: The errors of ``refresh(force:)``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await refresh(.whenMissing)
  }

  private func refresh(
    _ condition: CacheMachine<Source.Cache>.FetchCondition
  ) async throws(CacheError) -> RefreshResult {
    let binding = try binding()
    return RefreshResult(
      await binding.entry.refresh(binding.number, binding.client, condition: condition))
  }

  /// Fetches the cache if it is missing, stale, or failed last time, and waits for the end.
  ///
  /// It also waits for a fetch that already runs. Without requirements it does nothing. The states
  /// have the errors.
  public func validate() async {
    _ = try? await refresh(.whenInvalid)
  }
}

extension CacheRepository {
  /// Saves a value as the content, as if it had just been fetched; nil clears the cache.
  ///
  /// A fetch that runs at the same time is older, and does not replace the value.
  ///
  /// If the save of a value fails, the cache is unchanged. If the deletion of a cleared cache's data
  /// fails, the cache is cleared nevertheless.
  ///
  /// - Throws: The errors of ``refresh(force:)``, of the source, and of the ledger;
  ///   ``CacheError/notUpdatable(source:)``; ``CacheError/nestedWrite(tag:)``; `CancellationError`.
  public func update(_ cache: Source.Cache?) async throws {
    let binding = try binding()
    guard let cache else { return try await binding.entry.clear(binding.client) }
    try await binding.entry.update(cache, binding.client, fetchedAt: nil)
  }

  /// Saves a value as the content, as if it had been fetched at a date.
  ///
  /// Use it for what your app brings along, or has from elsewhere. If the value is stale by its date,
  /// Evocation shows it, and fetches the cache for observers. A date in the future says nothing about
  /// the age, so the value counts as stale.
  ///
  /// - Throws: The errors of ``update(_:)``.
  public func update(_ cache: Source.Cache, fetchedAt date: Date) async throws {
    let binding = try binding()
    try await binding.entry.update(cache, binding.client, fetchedAt: date)
  }

  /// Deletes the data, and makes the cache one that was never fetched, for all its repositories.
  ///
  /// Evocation keeps data that another cache of the same source needs. Observers see that there is no
  /// cache, and Evocation fetches it again for them, unless the source sets
  /// ``CacheDataSource/automaticallyRefresh`` to false.
  ///
  /// - Throws: The errors of ``update(_:)``; if the deletion fails, the cache is cleared
  ///   nevertheless.
  public func clear() async throws {
    try await update(nil)
  }

  /// Declares the cache stale; Evocation fetches it again if it is observed.
  ///
  /// A fetch that runs is older, so Evocation repeats it.
  ///
  /// - Throws: The errors of ``refresh(force:)``, and of the ledger; ``CacheError/nestedWrite(tag:)``;
  ///   `CancellationError`.
  public func invalidate() async throws {
    try await binding().entry.invalidate()
  }
}

extension CacheRepository {
  /// Sets requirements, prepares their cache, and starts over as a new process would.
  ///
  /// The preparation changes what the source has saved and the ledger's record; nothing is fetched.
  /// A fetch that runs ends.
  package func restart(
    with requirements: Source.Requirements,
    _ prepare: (CachePreparation<Source>) async throws -> Void
  ) async throws {
    self.requirements = requirements
    let binding = try binding()
    let (ledger, now) = (binding.entry.registry.ledger, time.date())
    try await binding.entry.restart(binding.client) { others in
      try await prepare(
        CachePreparation(
          source: binding.source, requirements: requirements, tag: binding.entry.tag,
          ledger: ledger, now: now,
          others: others.compactMap { $0.requirements(as: Source.Requirements.self) },
          client: binding.client))
    }
  }
}

extension Result<CacheLoad.End, CacheError> {
  fileprivate var isSuccessful: Bool {
    if case .success(.successful) = self { true } else { false }
  }
}
