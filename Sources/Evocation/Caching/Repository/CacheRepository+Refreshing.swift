extension CacheRepository {
  /// Fetches the cache when it is stale, or whatever its age, and waits until it is saved and shown.
  ///
  /// A fetch of the same tag that runs already is joined. A fetch that fails leaves the cache as it
  /// was. Cancelling concerns this caller alone: the fetch goes on while anybody waits for it.
  ///
  /// - Parameter force: Whether to fetch whatever the age.
  /// - Returns: ``RefreshResult/skipped(_:)`` with `cacheNotTooOld` when there was nothing to do,
  ///   with `cancelled` when the task was cancelled, other requirements were set, or the app wrote.
  /// - Throws: ``CacheError/requirementsNotSet(cache:)`` and
  ///   ``CacheError/tagConflict(tag:source:other:)``.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    let binding = try binding()
    return await binding.entry.refresh(number, binding.client, force ? .always : .whenStale)
  }

  /// Fetches the cache when it was never fetched; successful at once when it was, at whatever age.
  ///
  /// - Throws: As ``refresh(force:)``.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    let binding = try binding()
    return await binding.entry.refresh(number, binding.client, .whenMissing)
  }

  /// Fetches the cache when it is missing, stale, or failed last time, and returns when that is done.
  ///
  /// A fetch that runs already is waited for. Without requirements there is nothing to do. What goes
  /// wrong is shown in the state.
  public func validate() async {
    guard let binding = try? binding() else { return }
    _ = await binding.entry.refresh(number, binding.client, .whenInvalid)
  }
}
