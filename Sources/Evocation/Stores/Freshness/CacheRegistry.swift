package import Foundation

/// The entries of one ledger's tags that are in use.
///
/// A ledger has one registry, for as long as one of its tags is in use.
package final class CacheRegistry: Sendable {
  /// The members of a tag's entry that the registry needs.
  package protocol Entry: AnyObject, Sendable {
    var tag: String { get }
    var sourceName: String { get }
    /// Whether it is observed, or a caller waits for a fetch of it.
    var isInUse: Bool { get }
    var isObserved: Bool { get }
    /// The number of its last save among all of the registry; zero for none.
    var savedAs: UInt64 { get }
    func invalidate() async throws
    /// Fetches, where it is observed, a cache that is missing, stale, or failed last time.
    func validateObserved() async
    /// Whether it is observed, and missing, stale, or failed last time.
    var isDue: Bool { get }
    /// Fetches, where it is observed, unless it was fetched after a date; false if that failed.
    func refreshObserved(since date: Date) async -> Bool
    /// Shows whether the service's changes arrive automatically.
    func showLive()
    /// Reads the ledger's record again; returns immediately.
    func recallAgain()
    func forget() async
    /// Shows that there is no cache, and discards what is being fetched; it takes no turn.
    func forgetAtOnce()
    /// The line of the cache's saves.
    var line: WriteSerializer { get }
    /// What it holds and shows now; nil if it has ended.
    var facts: Facts? { get }
    /// Has its repositories bind to the present store of their source.
    func replaceStore()
  }

  /// What an entry holds and shows at one moment.
  package struct Facts: Sendable {
    package var record: FetchRecord?
    package var isList: Bool
    package var observers: Int
    package var freshness: Freshness?
    package var isRefreshing: Bool
    package var error: (any Error)?
    /// How many elements the content has; nil for one that is no collection.
    package var count: Int?

    package init(
      record: FetchRecord?, isList: Bool, observers: Int, freshness: Freshness?,
      isRefreshing: Bool, error: (any Error)?, count: Int?
    ) {
      self.record = record
      self.isList = isList
      self.observers = observers
      self.freshness = freshness
      self.isRefreshing = isRefreshing
      self.error = error
      self.count = count
    }
  }

  /// A weak reference, of the type that it was made with.
  ///
  /// A class, because structs with weak references break in dictionaries in debug builds (Swift
  /// 6.3). It casts nothing: the optimizer casts a weak reference to a generic type without looking
  /// whether the object still exists.
  private final class Weak<Object: AnyObject & Sendable>: Sendable {
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
  private let knownFetches = Lock<[ByteText: Weak<KnownFetches>]>([:])
  /// When the date was last recorded in the ledger.
  private let noted = Lock<CacheMoment?>(nil)
  /// The clocks by which to note the date with the first fetch; nil if the ledger has a date.
  private let first = Lock<CacheTime?>(nil)

  private let evictions = Lock(Evictions())

  /// The order of saves, and what is deleted because of limits.
  private struct Evictions {
    var saves: UInt64 = 0
    /// The tags that evictions are deleting.
    var present: Set<ByteText> = []
    /// How many have been deleted, or are kept after all.
    var ended: UInt64 = 0
  }

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
    var found: (any Entry)?
    known.withLock { entries in
      found = entries[ByteText(tag)]?[store]?.object
      guard found == nil else { return }
      let entry = make()
      entries[ByteText(tag), default: [:]][store] = WeakEntry(entry)
      found = entry
    }
    return found ?? make()
  }

  /// Returns the known fetches whose tags begin with a prefix.
  package func fetches(prefix: String) -> KnownFetches {
    knownFetches.withLock { known in
      if let found = known[ByteText(prefix)]?.object { return found }
      let made = KnownFetches(self, prefix: prefix)
      known[ByteText(prefix)] = Weak(made)
      return made
    }
  }

  /// Keeps the record that was written for a tag; nil for an erased one.
  package func recordWritten(_ record: FetchRecord?, for tag: String) {
    if record != nil { recordFirstDate() }
    for fetches in fetches where tag.beginsWithBytes(of: fetches.prefix) {
      fetches.set(record, for: tag)
    }
  }

  /// Records the date after the first fetch: a file without fetches keeps none.
  package func recordFirstDate() {
    let time = first.withLock { time in
      defer { time = nil }
      return time
    }
    if let time { recordDateInBackground(time) }
  }

  /// Has the known fetches whose tags may begin with a prefix read again.
  package func forgetFetches(prefix: String) {
    for fetches in fetches
    where fetches.prefix.beginsWithBytes(of: prefix) || prefix.beginsWithBytes(of: fetches.prefix) {
      fetches.forget()
    }
  }

  private var fetches: [KnownFetches] { knownFetches.withLock { $0.values.compactMap(\.object) } }

  /// Has the entry of a tag read the ledger again, because other code has written its record.
  package func recall(_ tag: String) {
    let entries = known.withLock { $0[ByteText(tag)]?.values.compactMap(\.object) ?? [] }
    for entry in entries { entry.recallAgain() }
  }

  /// Finds out whether the date was set back, before the ledger's records are used.
  ///
  /// It does so once a minute, and when the date was set. It ignores errors: a ledger that cannot be
  /// read fails again when a record is needed.
  ///
  /// - Returns: The present moment.
  @discardableResult
  package func check(_ time: CacheTime) async -> CacheMoment {
    var now = time.now
    if let old = noted.withLock({ $0 }), !now.isDateSet(since: old),
      now.time.subtracting(old.time) < .seconds(60)
    {
      return now
    }
    // Noted at the end: until then, concurrent callers check as well, and use no record before.
    defer { noted.withLock { $0 = now } }
    let seen = await seen()
    now = time.now
    if seen.isSetBack(now.date) {
      await recordDate(time)
    } else if seen.isNews(now.date) {
      if seen.greatest == nil { first.withLock { $0 = time } }
      recordDateInBackground(time)
    }
    return now
  }

  /// Has the ledger note a date that was set while the app runs, when something happens in a cache.
  package func follow(_ time: CacheTime, at now: CacheMoment) {
    let isSet = noted.withLock { noted in
      guard let old = noted, now.isDateSet(since: old) else { return false }
      noted = now
      return true
    }
    if isSet { recordDateInBackground(time) }
  }

  /// Records the date in the background, because no caller should wait for it.
  ///
  /// It reads the date when it runs: an earlier one would look as if the date had been set back.
  private func recordDateInBackground(_ time: CacheTime) {
    WriteScope.apart { _ = Task { await recordDate(time) } }
  }

  private func recordDate(_ time: CacheTime) async {
    let seen = await seen()
    let now = time.now
    try? await ledger.note(now.date)
    if seen.isSetBack(now.date) { forgetFetches(prefix: "") }
  }

  /// What the ledger has seen.
  ///
  /// Read the present date after it: fetches may be recorded until then, and an earlier date would
  /// look as if it had been set back.
  private func seen() async -> SeenDate { SeenDate(try? await ledger.greatestDate()) }

  /// The tags that are observed, or that callers wait for.
  package var tagsInUse: Set<ByteText> {
    Set(entries.filter(\.isInUse).map { ByteText($0.tag) })
  }

  /// Returns the number of a save, which is greater than those of all saves before it.
  package func numberSave() -> UInt64 {
    evictions.withLock { evictions in
      evictions.saves += 1
      return evictions.saves
    }
  }

  /// How many evictions of a cache have ended.
  package var evictionCount: UInt64 { evictions.withLock(\.ended) }

  /// Begins to delete the tags that the closure chooses, given those that others are deleting.
  ///
  /// It returns nil, and begins nothing, if an eviction has ended since the count, because the
  /// records that were read since then may have it or not. So no two evictions each delete what the
  /// other keeps.
  package func beginEvictions(
    since count: UInt64, _ choose: (Set<ByteText>) -> [ByteText]
  ) -> [ByteText]? {
    evictions.withLock { evictions in
      guard evictions.ended == count else { return nil }
      let chosen = choose(evictions.present)
      evictions.present.formUnion(chosen)
      return chosen
    }
  }

  /// Ends the eviction of tags, whether they were deleted or not.
  package func endEvictions(of tags: Set<ByteText>) {
    evictions.withLock { evictions in
      evictions.present.subtract(tags)
      evictions.ended += UInt64(tags.count)
    }
  }

  /// Removes an entry that has ended.
  package func forget(_ tag: String, _ identity: ObjectIdentifier) {
    known.withLock { entries in
      let left = entries[ByteText(tag)]?.filter { $0.value.identity != identity } ?? [:]
      entries[ByteText(tag)] = left.isEmpty ? nil : left
    }
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

  /// Has the caches whose tags begin with a prefix bind to the stores that are registered now.
  package func replaceStores(prefix: String) {
    for entry in entries(prefix) { entry.replaceStore() }
  }

  /// Validates the observed caches whose tags begin with a prefix.
  ///
  /// All at the same time: a service that does not answer delays only its own cache.
  package func validate(prefix: String) async {
    await withTaskGroup { group in
      for entry in entries(prefix) { group.addTask { await entry.validateObserved() } }
    }
  }

  /// Fetches the observed caches whose tags begin with a prefix, unless they were fetched after a date.
  ///
  /// - Returns: False if one failed.
  package func refreshObserved(prefix: String, since date: Date) async -> Bool {
    await withTaskGroup { group in
      for entry in entries(prefix) { group.addTask { await entry.refreshObserved(since: date) } }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  /// Has the caches whose tags begin with a prefix show whether changes arrive automatically.
  package func showLive(prefix: String) {
    for entry in entries(prefix) { entry.showLive() }
  }

  package func entries(_ prefix: String) -> [any Entry] {
    entries.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// All entries; released outside the lock, because the last reference to one ends it.
  package var entries: [any Entry] {
    known.withLock { $0.values.flatMap { $0.values.compactMap(\.object) } }
  }
}
