internal import Foundation

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
  /// The store could not be read; the observation goes on, and reads again after the next change.
  case failed(any Error)
}

/// The values of a cache in a store, as they change.
struct StoreObservation<Cache: Sendable>: Sendable {
  typealias Observing =
    @Sendable (_ tell: @Sendable (StoreEvent<Cache>) -> Void) async throws -> Void

  /// Requests that the observation reports this version, after all changes before it.
  let barrier: @Sendable (UInt64) -> Void

  /// Passes the store's events to a closure, in the caller's task, until that is canceled.
  let observe: Observing

  init(
    barrier: @escaping @Sendable (UInt64) -> Void = { _ in }, _ observe: @escaping Observing
  ) {
    self.barrier = barrier
    self.observe = observe
  }

  /// The values alone, without versions, observed in a new task.
  var caches: AsyncThrowingStream<Cache, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await observe { event in
            switch event {
            case .value(let value): continuation.yield(value.cache)
            case .failed(let error): continuation.finish(throwing: error)
            case .unchanged: break
            }
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

/// A source that knows its store: which one it is, the versions that it counts, and its lists.
///
/// The app may replace the store by another, such as that of another account. The first use of a
/// cache binds it to the present store: it fetches, saves, dates and shows the data of that store.
/// When the app has registered another one, the whole cache is bound to that.
protocol StoreCacheDataSource<Cache, Requirements>: CacheDataSource {
  /// The store that the source is bound to, or else the present one; nil where there is none.
  var store: StoreID? { get }
  /// The store's name in a record; nil where it has none, or contains the ledger.
  var recordedName: String? { get }
  /// Whether the source is bound to the present store; true where it is bound to none.
  var isInPlace: Bool { get }
  /// The same source, bound to the present store.
  var inPlace: Self { get }
  /// Since when the service's changes arrive in the store automatically; nil where they do not.
  var liveSince: LiveStatus.Since? { get }
  /// Whether a fetch leaves nothing else in the store, which a reader then counts on.
  var mirrors: Bool { get }
  /// Whether a refresh leaves only the first page of a longer list.
  var isShortenedByRefresh: Bool { get }
  /// The registration of the service that is asked; nil where there is none.
  var registration: Registration? { get }
  /// Returns what a record says of the present store and service; nil if it is of another store.
  func known(_ record: FetchRecord, of tag: String) -> FetchRecord?

  /// Returns the observation of the store's value.
  func observeStore(_ requirements: Requirements) -> StoreObservation<Cache>
  /// Reads the store's present value.
  func readStore(_ requirements: Requirements) async throws -> StoreValue<Cache>?

  /// Returns whether the store has the list of a tag; true for a cache.
  ///
  /// - Throws: ``ListDamage`` where the list's stored numbers contradict each other.
  func isKept(_ tag: String) async throws -> Bool
  /// Returns whether the list of a tag is missing, or its stored numbers contradict each other.
  func isDamaged(_ tag: String) async throws -> Bool
  /// Whether a list may have to contain some of these models, and does not; false for a cache.
  func lacks(_ models: any Sendable, _ content: Cache, of requirements: Requirements) -> Bool
  /// Deletes the list of a tag, and keeps its models.
  func drop(_ tag: String) async throws
  /// Returns the part of a list that its observers see; nil for all of it.
  func window(of requirements: Requirements) -> Range<Int>?
  /// Sets the part of a list that all its observers see; nil for all of it.
  func show(_ range: Range<Int>?, of requirements: Requirements)
}

extension StoreCacheDataSource {
  var liveSince: LiveStatus.Since? { nil }
  var mirrors: Bool { false }
  var isShortenedByRefresh: Bool { false }
  func isKept(_ tag: String) async throws -> Bool { true }
  func isDamaged(_ tag: String) async throws -> Bool { false }
  func drop(_ tag: String) async throws {}
  func lacks(_ models: any Sendable, _ content: Cache, of requirements: Requirements) -> Bool {
    false
  }
  func window(of requirements: Requirements) -> Range<Int>? { nil }
  func show(_ range: Range<Int>?, of requirements: Requirements) {}
}

extension CacheDataSource {
  /// The same source, bound to its store where it has one that may be replaced.
  var inPlace: Self { (self as? any StoreCacheDataSource)?.inPlace as? Self ?? self }
}
