/// What a store has of a cache.
struct StoreValue<Cache: Sendable>: Sendable {
  let cache: Cache
  /// Which part of the whole it is, where only a part is looked at.
  var extent: CacheExtent?
  /// The version of the store that it shows; nil where that is not known.
  var version: UInt64?
}

/// What observing a store tells.
enum StoreEvent<Cache: Sendable>: Sendable {
  /// The store has this now.
  case value(StoreValue<Cache>)
  /// What was told last is what the store has in this version too.
  case unchanged(version: UInt64)
}

/// What a store has of a cache, as it changes.
struct StoreObservation<Cache: Sendable>: Sendable {
  typealias Observing =
    @Sendable (_ tell: @Sendable (StoreEvent<Cache>) -> Void) async throws -> Void

  /// Has the observation tell of a version, once it has told of all that came before it.
  let reach: @Sendable (UInt64) -> Void

  /// Tells what the store has, where the caller is, until the task is cancelled.
  let observe: Observing

  init(
    reach: @escaping @Sendable (UInt64) -> Void = { _ in }, _ observe: @escaping Observing
  ) {
    self.reach = reach
    self.observe = observe
  }

  /// What the store has, without what is told of it, observed in a task of its own.
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

/// A source whose cache lies in a store that may say which version of its state it shows.
protocol StoreCacheDataSource<Cache>: CacheDataSource {
  /// Gives what the store has, and then again whenever that changes.
  func observeStore(_ requirements: Requirements) -> StoreObservation<Cache>

  /// Reads what the store has now.
  func readStore(_ requirements: Requirements) async throws -> StoreValue<Cache>?
}

/// A source that keeps lists, of which each has its bookkeeping in the store.
protocol ListCacheDataSource<Cache>: StoreCacheDataSource {
  /// Whether what the ledger remembers of a tag is there.
  ///
  /// - Throws: ``ListDamage`` where it cannot be what it was.
  func isKept(_ tag: String) async throws -> Bool

  /// Whether what the ledger remembers of a tag is not there, or cannot be what it was.
  func isDamaged(_ tag: String) async throws -> Bool

  /// Forgets what is kept of a tag, apart from the models.
  func drop(_ tag: String) async throws
}
