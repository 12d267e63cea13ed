public import Evocation

extension CacheRepositoryMock {
  /// Gives what the closure gives or, without one, what is sent.
  ///
  /// Observing begins with the first iteration; each iterator observes by itself.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<Source.Cache>> {
    states(forceRefresh)
  }

  /// Calls back with what the closure gives or, without one, with what is sent.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<Source.Cache>) -> Void
  ) -> Evocation.Observation {
    states(forceRefresh).observation(callback)
  }

  /// Plays the closure; what that throws, apart from a `CacheError`, is the result's error.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and a `CacheError` of the closure's.
  @discardableResult
  public func refresh(force: Bool = false) async throws(CacheError) -> RefreshResult {
    let closure = note(\.refresh, force, \.refresh)
    try requireRequirements()
    guard let closure else { return .failed(failure("refresh(force:)", "refresh")) }
    return try await result { try await closure(force) }
  }

  /// Plays the closure, as ``refresh(force:)`` does.
  @discardableResult
  public func refreshIfNoCache() async throws(CacheError) -> RefreshResult {
    let closure = note(\.refreshIfNoCache, (), \.refreshIfNoCache)
    try requireRequirements()
    guard let closure else { return .failed(failure("refreshIfNoCache()", "refreshIfNoCache")) }
    return try await result(closure)
  }

  /// Plays the closure, if there is one.
  public func validate() async {
    await note(\.validate, (), \.validate)?()
  }

  /// Plays the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func update(_ cache: Source.Cache?) async throws {
    let closure = note(\.update, cache, \.update)
    try requireRequirements()
    try await closure?(cache)
  }

  /// Plays the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func clear() async throws {
    let closure = note(\.clear, (), \.clear)
    try requireRequirements()
    try await closure?()
  }

  /// Plays the closure, if there is one.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, and what the closure throws.
  public func invalidate() async throws {
    let closure = note(\.invalidate, (), \.invalidate)
    try requireRequirements()
    try await closure?()
  }

  /// Plays the closure.
  ///
  /// - Throws: `CacheError.requirementsNotSet(cache:)`, what the closure throws, and
  ///   ``MockFailure`` without one.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    let closure = note(\.value, origin, \.value)
    try requireRequirements()
    guard let closure else { throw failure("value(from:)", "value") }
    return try await closure(origin)
  }

  /// Plays the closure; nil without requirements, and without a closure, which is a failure.
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
