package import Foundation

/// The caches of one ledger that are in use, by their tags.
///
/// A ledger has one registry, for as long as one of its tags is in use. The registry also has what is
/// known of the ledger in memory: the fetches, whether the date was set back, and the evictions.
package final class CacheRegistry: Sendable {
  /// A weak reference, of the type that it was made with.
  ///
  /// A class, because structs with weak references break in dictionaries in debug builds (Swift
  /// 6.3). It casts nothing: the optimizer casts a weak reference to a generic type without looking
  /// whether the object still exists.
  final class Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
    let identity: ObjectIdentifier

    init(_ object: Object) {
      self.object = object
      identity = ObjectIdentifier(object)
    }
  }

  /// A weak reference to an entry, whose type the registry does not know.
  private final class WeakEntry: Sendable {
    weak let object: (any Entry)?
    let identity: ObjectIdentifier

    init(_ object: any Entry) {
      self.object = object
      identity = ObjectIdentifier(object)
    }
  }

  private static let registries = Lock<[ObjectIdentifier: Weak<CacheRegistry>]>([:])

  package let ledger: any FetchLedger
  /// The entries by tag, and by the store of the source where it has one.
  private let known = Lock<[ByteText: [StoreID?: WeakEntry]]>([:])
  /// The known fetches of model types, by the beginning of their tags.
  let knownFetches = Lock<[ByteText: Weak<KnownFetches>]>([:])
  let dateChecks = Lock(DateChecks())
  package let evictions = Lock(Evictions())
  let invalidations = Lock(Invalidations())

  private init(_ ledger: any FetchLedger) {
    self.ledger = ledger
  }

  deinit {
    let (key, identity) = (ledger.identity, ObjectIdentifier(self))
    Self.registries.withLock { registries in
      if registries[key]?.identity == identity { registries[key] = nil }
    }
  }

  /// The registry of a ledger.
  package static func of(_ ledger: any FetchLedger) -> CacheRegistry {
    let identity = ledger.identity
    return registries.withLock { registries in
      if let registry = registries[identity]?.object { return registry }
      let registry = CacheRegistry(ledger)
      registries[identity] = Weak(registry)
      return registry
    }
  }

  /// Returns the entry of a tag, and of a store where the source has one; creates a missing one.
  package func entry(_ tag: String, in store: StoreID?, _ make: () -> any Entry) -> any Entry {
    known.withLock { entries in
      if let found = entries[ByteText(tag)]?[store]?.object { return found }
      let entry = make()
      entries[ByteText(tag), default: [:]][store] = WeakEntry(entry)
      return entry
    }
  }

  /// Removes an entry that has ended.
  package func forget(_ tag: String, _ identity: ObjectIdentifier) {
    known.withLock { entries in
      let left = entries[ByteText(tag)]?.filter { $0.value.identity != identity } ?? [:]
      entries[ByteText(tag)] = left.isEmpty ? nil : left
    }
  }

  /// All entries; released outside the lock, because the last reference to one ends it.
  package var entries: [any Entry] {
    known.withLock { $0.values.flatMap { $0.values.compactMap(\.object) } }
  }

  package func entries(_ prefix: String) -> [any Entry] {
    entries.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// Has the entry of a tag read the ledger again, because other code has written its record.
  package func recall(_ tag: String) {
    let entries = known.withLock { $0[ByteText(tag)]?.values.compactMap(\.object) ?? [] }
    for entry in entries { entry.receive(.recorded) }
  }

  /// Tells something to the caches whose tags begin with a prefix.
  package func send(_ signal: Signal, prefix: String) {
    for entry in entries(prefix) { entry.receive(signal) }
  }

  /// Tells something to the caches of all ledgers, because one of them may be another ledger's now.
  package static func sendToAll(_ signal: Signal, prefix: String) {
    let all = registries.withLock { $0.values.compactMap(\.object) }
    for registry in all { registry.send(signal, prefix: prefix) }
  }

  /// Has the entries whose tags begin with a prefix follow the ledger's clearing.
  func forget(prefix: String) async {
    forgetFetches(prefix: prefix)
    for entry in entries(prefix) { await entry.forget() }
  }

  /// Declares stale the caches in use whose tags begin with a prefix.
  func invalidate(prefix: String) async throws {
    forgetFetches(prefix: prefix)
    var failure: (any Error)?
    for entry in entries(prefix) {
      do { try await entry.invalidate() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Fetches the observed caches whose tags begin with a prefix, as far as they are due.
  ///
  /// All at the same time: a service that does not answer delays only its own cache.
  ///
  /// - Returns: Why some are still due.
  @discardableResult
  package func fetchObserved(prefix: String, since date: Date?) async -> [any Error] {
    await withTaskGroup { group in
      for entry in entries(prefix) { group.addTask { await entry.fetchObserved(since: date) } }
      return await group.reduce(into: []) { errors, error in
        if let error { errors.append(error) }
      }
    }
  }
}
