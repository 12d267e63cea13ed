package import Foundation

extension CacheRepository {
  /// Gives what is cached, once.
  ///
  /// ```swift
  /// let cars = try await repository.value()
  /// ```
  ///
  /// Inside a fetch of the same cache, or of one that it waits for, it never waits: with `cache`
  /// and `both` it gives the cache that is there, if that is not too old to be shown.
  ///
  /// - Parameter origin: Where it may come from. With `both` a fresh cache is given, else it is
  ///   fetched; where that fails, a cache that is not older than ``CacheDataSource/maxUsableAge``
  ///   is given all the same.
  /// - Returns: What is cached, which may be empty.
  /// - Throws: What the fetch threw; ``CacheError/noCache(tag:)`` and
  ///   ``CacheError/cacheTooOld(tag:age:)`` where only the cache was asked;
  ///   ``CacheError/cleared(tag:)`` when it was cleared meanwhile;
  ///   ``CacheError/nestedFetch(tag:)`` inside a fetch when there is nothing to give;
  ///   ``CacheError/requirementsNotSet(cache:)``; `CancellationError`.
  public func value(from origin: CacheOrigin = .both) async throws -> Source.Cache {
    let binding = try binding()
    try Task.checkCancellation()
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
      if binding.entry.isAwaitedByFetch, let cache = try await binding.entry.usable(binding.client)
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

  /// Gives what is cached, once, and when it was fetched.
  ///
  /// It may come from everywhere that ``value(from:)`` may, and throws what that throws.
  package func datedValue(
    from origin: CacheOrigin = .both
  ) async throws -> DatedValue<Source.Cache> {
    let binding = try binding()
    var before = binding.entry.fetchedAt
    var value = try await value(from: origin)
    // A fetch that ends meanwhile must not make an older value look younger.
    for _ in 0..<Self.mostLooks {
      let date = binding.entry.fetchedAt
      if date == before { return DatedValue(value: value, fetchedAt: date) }
      guard let present = try await binding.entry.existing(binding.client) else { break }
      (before, value) = (date, present)
    }
    return DatedValue(value: value, fetchedAt: nil)
  }

  /// How often a value is read again that others fetch meanwhile, to know its date.
  private static var mostLooks: Int { 3 }

  /// Gives what is cached, once; nil where ``value(from:)`` throws.
  public func valueIfAvailable(from origin: CacheOrigin = .both) async -> Source.Cache? {
    try? await value(from: origin)
  }

  private func fetched(_ binding: Binding, _ origin: CacheOrigin) async throws -> Source.Cache {
    let wish: CacheEntry<Source>.Machine.Wish = origin == .origin ? .always : .whenStale
    let result = await binding.entry.refresh(binding.number, binding.client, wish)
    try Task.checkCancellation()
    switch result {
    case .successful:
      // At any age, because with a maximum age of zero it is stale already.
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

/// A value of a cache, and when it was fetched.
package struct DatedValue<Value: Sendable>: Sendable {
  /// What is cached.
  package let value: Value
  /// When it was fetched; nil where that is not known, as after the device's date was set back.
  package let fetchedAt: Date?
}

/// Where ``CacheRepository/value(from:)`` may take its value from.
public enum CacheOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// The cache where it is fresh, else a fetch.
  case both
  /// Always a fetch.
  case origin
  /// The cache alone; stale or missing is an error.
  case cache
}

extension CacheEntry {
  /// When what is saved was fetched; nil where that is not known.
  fileprivate var fetchedAt: Date? {
    let now = time.now
    let stored = state.withLock { $0.machine.stored }
    guard let record = stored.record, !record.isUndated, !record.isCleared,
      !stored.isDateSetBack(at: now)
    else { return nil }
    return record.fetchedAt
  }

  /// What is saved, if it is not stale.
  @inline(__always)
  fileprivate func valid(_ client: Client) async throws -> Source.Cache? {
    try await read(client) { $0 == .fresh }
  }

  /// What is saved, if it is not too old to be shown.
  fileprivate func usable(_ client: Client) async throws -> Source.Cache? {
    try await read(client) { $0 != .expired }
  }

  /// What is saved, if it was ever fetched.
  fileprivate func existing(_ client: Client) async throws -> Source.Cache? {
    try await read(client) { _ in true }
  }

  /// Why there is no value from the cache alone.
  fileprivate func invalidity(_ client: Client) -> any Error {
    let now = time.now
    return state.withLock { state in
      let stored = state.machine.stored
      let freshness = stored.freshness(client.policy, at: now)
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
    _ client: Client, where isWanted: (Freshness) -> Bool
  ) async throws -> Source.Cache? {
    let now = time.now
    let (freshness, isSetBack) = state.withLock { state in
      let stored = state.machine.stored
      return (
        stored.isCleared ? nil : stored.freshness(client.policy, at: now),
        stored.isDateSetBack(at: now)
      )
    }
    guard let freshness, isWanted(freshness) else { return nil }
    if isSetBack { registry.note(time) }
    if client.isLimited { touch(client) }
    let cache: Source.Cache?
    do {
      cache = try await client.read()
    } catch let damage as ListDamage {
      await discard(damage, client)
      return nil
    }
    // It may have been deleted meanwhile, and a part of it been read.
    let isThere = state.withLock { state in
      state.machine.stored.exists(client.policy) && !state.machine.stored.isCleared
    }
    return isThere ? cache : nil
  }
}
