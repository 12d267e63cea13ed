public import Evocation

extension CacheRepositoryMock {
  /// Gives the states of the closure or, without one, those that the test sends.
  ///
  /// Observing begins with the first iteration; each iterator observes by itself.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<Source.Cache>> {
    states(forceRefresh)
  }

  /// Calls back with the states of the closure or, without one, with those that the test sends.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<Source.Cache>) -> Void
  ) -> Evocation.Observation {
    states(forceRefresh).observation(callback)
  }

  /// Runs the closure; an error that it throws, other than a `CacheError`, becomes the result.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and a `CacheError` that the closure throws.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    let closure = note(\.refresh, force, \.refresh)
    try requireRequirements()
    guard let closure else { return .failed(failure("refresh(force:)", "refresh")) }
    return try await result { try await closure(force) }
  }

  /// Runs the closure, as ``refresh(force:)`` does.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    let closure = note(\.refreshIfNoCache, (), \.refreshIfNoCache)
    try requireRequirements()
    guard let closure else { return .failed(failure("refreshIfNoCache()", "refreshIfNoCache")) }
    return try await result(closure)
  }

  /// Runs the closure, if there is one.
  public func validate() async {
    await note(\.validate, (), \.validate)?()
  }

  /// Runs the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func update(_ cache: Source.Cache?) async throws {
    let closure = note(\.update, cache, \.update)
    try requireRequirements()
    try await closure?(cache)
  }

  /// Runs the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func clear() async throws {
    let closure = note(\.clear, (), \.clear)
    try requireRequirements()
    try await closure?()
  }

  /// Runs the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func invalidate() async throws {
    let closure = note(\.invalidate, (), \.invalidate)
    try requireRequirements()
    try await closure?()
  }

  /// Runs the closure.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, what the closure throws, and
  ///   ``MockFailure`` without one.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    let closure = note(\.value, origin, \.value)
    try requireRequirements()
    guard let closure else { throw failure("value(from:)", "value") }
    return try await closure(origin)
  }

  /// Runs the closure; nil without requirements, and without a closure, which is a failure.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    let closure = note(\.valueIfAvailable, origin, \.valueIfAvailable)
    guard requirements != nil else { return nil }
    guard let closure else {
      _ = failure("valueIfAvailable(from:)", "valueIfAvailable")
      return nil
    }
    return await closure(origin)
  }

  private func states(_ forceRefresh: Bool) -> MockStates<CacheState<Source.Cache>> {
    let closure = note(\.observe, forceRefresh, \.observe)
    return MockStates(stage, closure.map { closure in { @Sendable in closure(forceRefresh) } })
  }

  private func result(
    _ closure: () async throws -> RefreshResult
  ) async throws(CacheError) -> RefreshResult {
    do {
      return try await closure()
    } catch let error as CacheError {
      throw error
    } catch is CancellationError {
      return .skipped(.cancelled)
    } catch {
      return .failed(error)
    }
  }
}
