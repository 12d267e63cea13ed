extension CacheRepository {
  /// Gives what is cached, once.
  ///
  /// ```swift
  /// let cars = try await repository.value()
  /// ```
  ///
  /// Inside a fetch of the same cache, or one that it waits for, nothing is waited for: what is there
  /// is given from the cache and from both, if it is not too old to be shown.
  ///
  /// - Parameter origin: Where it may come from. With `both` a cache that is not stale is given, else
  ///   it is fetched; where that fails, a cache that is not older than
  ///   ``CacheDataSource/maxUsableAge`` says is given all the same.
  /// - Returns: What is cached, which may be empty.
  /// - Throws: What the fetch threw; ``CacheError/noCache(tag:)`` and
  ///   ``CacheError/cacheTooOld(tag:age:)`` where only the cache was asked;
  ///   ``CacheError/cleared(tag:)`` when it was cleared meanwhile;
  ///   ``CacheError/nestedFetch(tag:)`` inside a fetch where there is nothing to be given;
  ///   ``CacheError/requirementsNotSet(cache:)``; `CancellationError`.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    let place = try place()
    try Task.checkCancellation()
    if origin != .origin, let cache = try await place.cell.valid(place.seat) { return cache }
    if !place.cell.isLoaded {
      await place.cell.load(place.seat)
      if origin != .origin, let cache = try await place.cell.valid(place.seat) { return cache }
    }
    switch origin {
    case .cache:
      if place.cell.isAwaitedByFetch, let cache = try await place.cell.usable(place.seat) {
        return cache
      }
      throw place.cell.invalidity(place.seat)
    case .both, .origin:
      guard place.seat.policy.canFetch else {
        throw CacheError.noOrigin(source: "\(Source.self)")
      }
      return try await fetched(place, origin)
    }
  }

  /// Gives what is cached, once; nil where ``value(from:)`` throws.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    try? await value(from: origin)
  }

  private func fetched(_ place: Place, _ origin: CacheOrigin) async throws -> Source.Cache {
    let wish: CacheCell<Source>.Machine.Wish = origin == .origin ? .always : .whenStale
    let result = await place.cell.refresh(number, place.seat, wish)
    try Task.checkCancellation()
    switch result {
    case .successful:
      // Whatever its age: with a maximum age of zero it is stale already.
      guard let cache = try await place.cell.existing(place.seat) else {
        throw place.cell.absence
      }
      return cache
    case .failed(let error):
      if origin == .both, let cache = try? await place.cell.usable(place.seat) { return cache }
      throw error
    case .skipped:
      guard let cache = try await place.cell.valid(place.seat) else {
        throw CacheError.cleared(tag: place.cell.tag)
      }
      return cache
    }
  }
}

extension CacheCell {
  /// What is saved, if it is not stale.
  @inline(__always)
  fileprivate func valid(_ seat: Seat) async throws -> Source.Cache? {
    try await read(seat) { $0 == .fresh }
  }

  /// What is saved, if it is not too old to be shown.
  fileprivate func usable(_ seat: Seat) async throws -> Source.Cache? {
    try await read(seat) { $0 != .unusable }
  }

  /// What is saved, if it was ever fetched.
  fileprivate func existing(_ seat: Seat) async throws -> Source.Cache? {
    try await read(seat) { _ in true }
  }

  /// Why the cache alone cannot answer.
  fileprivate func invalidity(_ seat: Seat) -> any Error {
    let now = time.now
    return state.withLock { state in
      let stored = state.machine.stored
      let freshness = stored.freshness(seat.policy, at: now)
      if let failure = stored.failure { return failure.error }
      guard let freshness, freshness != .fresh else { return CacheError.noCache(tag: tag) }
      return CacheError.cacheTooOld(tag: tag, age: stored.age(at: now))
    }
  }

  /// Why there is nothing after a fetch that succeeded.
  fileprivate var absence: CacheError {
    let isCleared = state.withLock { $0.machine.stored.record == nil }
    return isCleared ? .cleared(tag: tag) : .noCache(tag: tag)
  }

  @inline(__always)
  private func read(
    _ seat: Seat, where isWanted: (Freshness) -> Bool
  ) async throws -> Source.Cache? {
    let now = time.now
    let (freshness, isSetBack) = state.withLock { state in
      let stored = state.machine.stored
      return (
        stored.isCleared ? nil : stored.freshness(seat.policy, at: now),
        stored.isDateSetBack(at: now)
      )
    }
    guard let freshness, isWanted(freshness) else { return nil }
    if isSetBack { scope.note(time) }
    if seat.isLimited { touch(seat) }
    let cache: Source.Cache?
    do {
      cache = try await seat.read()
    } catch let damage as ListDamage {
      await letGo(damage, seat)
      return nil
    }
    // It may have been let go meanwhile, and what was read may be what was left of it.
    let isThere = state.withLock { state in
      state.machine.stored.exists(seat.policy) && !state.machine.stored.isCleared
    }
    return isThere ? cache : nil
  }
}
