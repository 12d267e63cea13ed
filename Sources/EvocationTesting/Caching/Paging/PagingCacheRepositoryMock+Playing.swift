public import Evocation

extension PagingCacheRepositoryMock {
  /// Gives the states of the closure or, without one, those that the test sends.
  ///
  /// Observing begins with the first iteration; each iterator observes by itself.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<PagedCache<Source.Cache>>> {
    states(forceRefresh)
  }

  /// Calls back with the states of the closure or, without one, with those that the test sends.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<PagedCache<Source.Cache>>) -> Void
  ) -> Evocation.Observation {
    states(forceRefresh).observation(callback)
  }

  /// Runs the closure; an error that it throws becomes the result.
  ///
  /// - Returns: Its result; a failure with `CacheError.requirementsNotSet(cache:)` without
  ///   requirements, and with a ``MockFailure`` without a closure.
  @discardableResult
  public func goToNextPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.next, continueWhenError)
  }

  /// Runs the closure, as ``goToNextPage(continueWhenError:)`` does.
  @discardableResult
  public func goToPreviousPage(continueWhenError: Bool = true) async -> PageResult {
    await go(.previous, continueWhenError)
  }

  /// Runs the closure, if there is one.
  public func rowAppeared(at index: Int) {
    noteRow(index)?(index)
  }

  /// Runs the closure, as ``CacheRepositoryMock/refresh(force:)`` does.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    try await base.refresh(force: force)
  }

  /// Runs the closure, as ``refresh(force:)`` does.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    try await base.refreshIfNoCache()
  }

  /// Runs the closure, if there is one.
  public func validate() async { await base.validate() }

  /// Runs the closure, if there is one, as ``CacheRepositoryMock/update(_:)`` does.
  public func update(_ list: Source.Cache?) async throws { try await base.update(list) }

  /// Runs the closure, if there is one, as ``CacheRepositoryMock/clear()`` does.
  public func clear() async throws { try await base.clear() }

  /// Runs the closure, if there is one, as ``CacheRepositoryMock/invalidate()`` does.
  public func invalidate() async throws { try await base.invalidate() }

  /// Runs the closure, as ``CacheRepositoryMock/value(from:)`` does.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    try await base.value(from: origin)
  }

  /// Runs the closure, as ``CacheRepositoryMock/valueIfAvailable(from:)`` does.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    await base.valueIfAvailable(from: origin)
  }

  private func states(_ forceRefresh: Bool) -> MockStates<CacheState<PagedCache<Source.Cache>>> {
    _ = base.note(\.observe, forceRefresh, \.observe)
    let closure = closures.observe
    return MockStates(stage, closure.map { closure in { @Sendable in closure(forceRefresh) } })
  }
}
