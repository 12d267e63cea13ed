extension CacheRepository {
  /// Returns the content of the cache, once.
  ///
  /// ```swift
  /// let cars = try await repository.value()
  /// ```
  ///
  /// Inside a fetch of the same cache, or of one that this fetch waits for, the call never waits.
  /// There, `cache` and `both` return the existing content, if it is not too old to be shown.
  ///
  /// - Parameter origin: Where the value may come from. `both` returns a fresh cache, and otherwise
  ///   fetches. If that fails, it returns a cache that is not older than
  ///   ``CacheDataSource/maxUsableAge``.
  /// - Returns: The content, which may be empty.
  /// - Throws: The error of the fetch; ``CacheError/noCache(tag:)`` and
  ///   ``CacheError/cacheTooOld(tag:age:)`` where only the cache may answer;
  ///   ``CacheError/cleared(tag:)`` when the cache was cleared in the meantime;
  ///   ``CacheError/noOrigin(source:)`` when there is nothing to fetch from;
  ///   ``CacheError/nestedFetch(tag:)`` inside a fetch when there is no content to return;
  ///   the errors of ``refresh(force:)``; `CancellationError`.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    let binding = try binding()
    try Task.checkCancellation()
    binding.entry.beginUse()
    defer { binding.entry.endUse(binding.client) }
    if origin != .origin { await binding.entry.catchUp(binding.client) }
    if origin != .origin, let cache = try await binding.entry.valid(binding.client) { return cache }
    if !binding.entry.isLoaded {
      await binding.entry.load(binding.client)
      if origin != .origin, let cache = try await binding.entry.valid(binding.client) {
        return cache
      }
    }
    switch origin {
    case .cache:
      if binding.entry.isInside(PagePosition.allCases),
        let cache = try await binding.entry.usable(binding.client)
      {
        return cache
      }
      throw binding.entry.invalidity(binding.client)
    case .both, .origin:
      guard binding.client.policy.canFetch else {
        throw CacheError.noOrigin(source: "\(Source.self)")
      }
      return try await fetched(binding, origin)
    }
  }

  /// Returns the content of the cache, once; nil where ``value(from:)`` throws.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    try? await value(from: origin)
  }

  private func fetched(_ binding: Binding, _ origin: CacheOrigin) async throws -> Source.Cache {
    let condition: CacheMachine<Source.Cache>.FetchCondition =
      origin == .origin ? .always : .whenStale
    let end = await binding.entry.refresh(binding.number, binding.client, condition: condition)
    try Task.checkCancellation()
    switch end {
    case .successful:
      // At any age, because with a maximum age of zero the cache is already stale.
      guard let cache = try await binding.entry.existing(binding.client) else {
        throw binding.entry.absence
      }
      return cache
    case .failed(let error):
      if origin == .both, let cache = try? await binding.entry.usable(binding.client) {
        return cache
      }
      throw error
    case .skipped:
      guard let cache = try await binding.entry.valid(binding.client) else {
        throw CacheError.cleared(tag: binding.entry.tag)
      }
      return cache
    }
  }
}

/// Where ``CacheRepository/value(from:)`` may take its value from.
///
/// ```swift
/// let cached = try await cars.value(from: .cache)
/// let fetched = try await cars.value(from: .origin)
/// let either = await cars.valueIfAvailable()
/// ```
public enum CacheOrigin: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
  /// The cache where it is fresh, else a fetch.
  case both
  /// Always a fetch.
  case origin
  /// The cache alone; a stale or missing cache is an error.
  case cache
}

extension CacheEntry {
  /// The saved content, if it is not stale.
  @inline(__always)
  fileprivate func valid(_ source: Source) async throws -> Content? {
    try await read(source) { $0 == .fresh }
  }

  /// The saved content, if it is not too old to be shown.
  fileprivate func usable(_ source: Source) async throws -> Content? {
    try await read(source) { $0 != .expired }
  }

  /// The saved content, if it was ever fetched.
  fileprivate func existing(_ source: Source) async throws -> Content? {
    try await read(source) { _ in true }
  }

  /// The error of a read from the cache alone.
  fileprivate func invalidity(_ source: Source) -> any Error {
    let now = time.now
    return state.withLock { state in
      let stored = state.machine.stored
      let freshness = stored.freshness(source.policy, at: now)
      if let failure = stored.failure { return failure.error }
      guard let freshness, freshness != .fresh else { return CacheError.noCache(tag: tag) }
      return CacheError.cacheTooOld(tag: tag, age: stored.age(source.policy, at: now))
    }
  }

  /// The error of a read that finds nothing after a fetch that succeeded.
  fileprivate var absence: CacheError {
    let isCleared = state.withLock { $0.machine.stored.record == nil }
    return isCleared ? .cleared(tag: tag) : .noCache(tag: tag)
  }

  @inline(__always)
  private func read(
    _ source: Source, where isWanted: (Freshness) -> Bool
  ) async throws -> Content? {
    let now = time.now
    let freshness = state.withLock { state in
      let stored = state.machine.stored
      return stored.isCleared ? nil : stored.freshness(source.policy, at: now)
    }
    guard let freshness, isWanted(freshness) else { return nil }
    if source.isLimited { touch(source) }
    let cache: Content?
    do {
      cache = try await source.read()
    } catch let damage as ListDamage {
      await discard(damage, source)
      return nil
    }
    // The cache may have been deleted in the meantime, so that only a part of it was read.
    let isThere = state.withLock { state in
      state.machine.stored.exists(source.policy) && !state.machine.stored.isCleared
    }
    return isThere ? cache : nil
  }
}
