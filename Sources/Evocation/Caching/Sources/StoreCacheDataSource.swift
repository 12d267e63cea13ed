/// The value of a cache in a store.
struct StoreValue<Cache: Sendable>: Sendable {
  let cache: Cache
  /// Which part of the list it is, where only a part is shown.
  var extent: CacheExtent?
  /// The version of the store that has it; nil where that is not known.
  var version: UInt64?
}

/// An event of an observed store.
enum StoreEvent<Cache: Sendable>: Sendable {
  /// The store has this value now.
  case value(StoreValue<Cache>)
  /// The last value is also that of this version.
  case unchanged(version: UInt64)
}

/// The values of a cache in a store, as they change.
struct StoreObservation<Cache: Sendable>: Sendable {
  typealias Observing =
    @Sendable (_ tell: @Sendable (StoreEvent<Cache>) -> Void) async throws -> Void

  /// Has the observation report that it has reached a version, after all changes before it.
  let reach: @Sendable (UInt64) -> Void

  /// Passes the store's events to a closure, on the caller's task, until that is cancelled.
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

/// A source whose store may count versions, and say which of them has a value.
protocol StoreCacheDataSource<Cache>: CacheDataSource {
  /// Gives the store's value, now and whenever it changes.
  func observeStore(_ requirements: Requirements) -> StoreObservation<Cache>

  /// Reads the store's present value.
  func readStore(_ requirements: Requirements) async throws -> StoreValue<Cache>?
}

/// A source that keeps lists of ids in its store.
protocol ListCacheDataSource<Cache>: StoreCacheDataSource {
  /// Whether the store has the list of a tag.
  ///
  /// - Throws: ``ListDamage`` where its stored numbers contradict each other.
  func isKept(_ tag: String) async throws -> Bool

  /// Whether the list of a tag is missing, or its stored numbers contradict each other.
  func isDamaged(_ tag: String) async throws -> Bool

  /// Deletes the list of a tag, and leaves its models.
  func drop(_ tag: String) async throws
}
