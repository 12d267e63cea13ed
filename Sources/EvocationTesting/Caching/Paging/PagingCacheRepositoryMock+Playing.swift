public import Evocation

extension PagingCacheRepositoryMock {
  /// Gives what the closure gives or, without one, what is sent.
  ///
  /// Observing begins with the first iteration; each iterator observes by itself.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<PagedCache<Source.Cache>>> {
    states(forceRefresh)
  }

  /// Calls back with what the closure gives or, without one, with what is sent.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<PagedCache<Source.Cache>>) -> Void
  ) -> Evocation.Observation {
    states(forceRefresh).observation(callback)
  }

  /// Plays the closure; what that throws is the result's error.
  ///
  /// - Returns: Its answer; `CacheError.requirementsNotSet(cache:)` without requirements, and a
  ///   ``MockFailure`` without a closure, as failures.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.next, continueWhenError)
  }

  /// Plays the closure, as ``goToNextPage(continueWhenError:)`` does.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.previous, continueWhenError)
  }

  /// Plays the closure, as ``CacheRepositoryMock/refresh(force:)`` does.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    try await base.refresh(force: force)
  }

  /// Plays the closure, as ``refresh(force:)`` does.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await base.refreshIfNoCache()
  }

  /// Plays the closure, if there is one.
  public func validate() async { await base.validate() }

  /// Plays the closure, if there is one, as ``CacheRepositoryMock/update(_:)`` does.
  public func update(_ list: Source.Cache?) async throws { try await base.update(list) }

  /// Plays the closure, if there is one, as ``CacheRepositoryMock/clear()`` does.
  public func clear() async throws { try await base.clear() }

  /// Plays the closure, if there is one, as ``CacheRepositoryMock/invalidate()`` does.
  public func invalidate() async throws { try await base.invalidate() }

  /// Plays the closure, as ``CacheRepositoryMock/value(from:)`` does.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    try await base.value(from: origin)
  }

  /// Plays the closure, as ``CacheRepositoryMock/valueIfAvailable(from:)`` does.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    await base.valueIfAvailable(from: origin)
  }

  private func states(_ forceRefresh: Bool) -> MockStates<CacheState<PagedCache<Source.Cache>>> {
    _ = base.note(\.observe, forceRefresh, \.observe)
    let closure = closures.observe
    return MockStates(stage, closure.map { closure in { @Sendable in closure(forceRefresh) } })
  }
}
