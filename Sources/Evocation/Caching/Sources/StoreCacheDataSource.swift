/// The value of a cache in a store.
struct StoreValue<Cache: Sendable>: Sendable {
  let cache: Cache
  /// The part of the list, where only a part is shown.
  var extent: CacheExtent?
  /// The version of the store that has the value; nil where that is unknown.
  var version: UInt64?
}

/// An event of an observed store.
enum StoreEvent<Cache: Sendable>: Sendable {
  /// The store has this value now.
  case value(StoreValue<Cache>)
  /// The last value is also the value of this version.
  case unchanged(version: UInt64)
}

/// The values of a cache in a store, as they change.
struct StoreObservation<Cache: Sendable>: Sendable {
  typealias Observing =
    @Sendable (_ tell: @Sendable (StoreEvent<Cache>) -> Void) async throws -> Void

  /// Requests that the observation reports this version, after all changes before it.
  let reach: @Sendable (UInt64) -> Void

  /// Passes the store's events to a closure, in the caller's task, until that is canceled.
  let observe: Observing

  init(
    reach: @escaping @Sendable (UInt64) -> Void = { _ in }, _ observe: @escaping Observing
  ) {
    self.reach = reach
    self.observe = observe
  }

  /// The values alone, without versions, observed in a new task.
  var caches: AsyncThrowingStream<Cache, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await observe { event in
            if case .value(let value) = event { continuation.yield(value.cache) }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// A source whose store may count versions, and report which version has a value.
protocol StoreCacheDataSource<Cache>: CacheDataSource {
  /// Returns the observation of the store's value.
  func observeStore(_ requirements: Requirements) -> StoreObservation<Cache>

  /// Reads the store's present value.
  func readStore(_ requirements: Requirements) async throws -> StoreValue<Cache>?
}

/// A source that keeps lists of ids in its store.
protocol ListCacheDataSource<Cache>: StoreCacheDataSource {
  /// Returns whether the store has the list of a tag.
  ///
  /// - Throws: ``ListDamage`` where the list's stored numbers contradict each other.
  func isKept(_ tag: String) async throws -> Bool

  /// Returns whether the list of a tag is missing, or its stored numbers contradict each other.
  func isDamaged(_ tag: String) async throws -> Bool

  /// Deletes the list of a tag, and keeps its models.
  func drop(_ tag: String) async throws
}
