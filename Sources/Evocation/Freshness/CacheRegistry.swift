import Foundation

/// The entries of one ledger's tags that are in use.
///
/// A ledger has one registry, for as long as one of its tags is in use.
final class CacheRegistry: Sendable {
  /// The members of a tag's entry that the registry needs.
  protocol Entry: AnyObject, Sendable {
    var tag: String { get }
    var sourceName: String { get }
    /// Whether it is observed, or a caller waits for a fetch of it.
    var isInUse: Bool { get }
    func invalidate() async throws
    /// Fetches, where it is observed, a cache that is missing, stale, or failed last time.
    func validateObserved() async
    /// Reads the ledger's record again; returns immediately.
    func recallAgain()
    func forget() async
    /// Has its repositories bind to the present store of their source.
    func replaceStore()
  }

  /// A weak reference to an entry.
  ///
  /// A class, because structs with weak references break in dictionaries in debug builds (Swift
  /// 6.3).
  private final class WeakEntry: @unchecked Sendable {  // a weak reference is read atomically
    private(set) weak var entry: (any Entry)?
    let identity: ObjectIdentifier

    init(_ entry: any Entry) {
      self.entry = entry
      identity = ObjectIdentifier(entry)
    }
  }

  /// A weak reference to a registry.
  private final class WeakRegistry: @unchecked Sendable {  // as above
    private(set) weak var registry: CacheRegistry?
    let identity: ObjectIdentifier

    init(_ registry: CacheRegistry) {
      self.registry = registry
      identity = ObjectIdentifier(registry)
    }
  }

  private static let registries = Lock<[ObjectIdentifier: WeakRegistry]>([:])

  let ledger: any FetchLedger
  /// The entries by tag, and by the store of the source where it has one.
  private let known = Lock<[ByteText: [StoreID?: WeakEntry]]>([:])
  /// The known fetches of model types, by the beginning of their tags.
  private let knownFetches = Lock<[ByteText: KnownFetches]>([:])
  /// When the date was last noted in the ledger.
  private let noted = Lock<CacheMoment?>(nil)

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
  static func of(_ ledger: any FetchLedger) -> CacheRegistry {
    let identity = ledger.identity
    return registries.withLock { registries in
      if let registry = registries[identity]?.registry { return registry }
      let registry = CacheRegistry(ledger)
      registries[identity] = WeakRegistry(registry)
      return registry
    }
  }

  /// Returns the entry of a tag, and of a store where the source has one; creates a missing one.
  func entry(_ tag: String, in store: StoreID?, _ make: () -> any Entry) -> any Entry {
    var found: (any Entry)?
    known.withLock { entries in
      found = entries[ByteText(tag)]?[store]?.entry
      guard found == nil else { return }
      let entry = make()
      entries[ByteText(tag), default: [:]][store] = WeakEntry(entry)
      found = entry
    }
    return found ?? make()
  }

  /// Returns the known fetches whose tags begin with a prefix.
  func fetches(prefix: String) -> KnownFetches {
    knownFetches.withLock { known in
      if let found = known[ByteText(prefix)] { return found }
      let made = KnownFetches(ledger, prefix: prefix)
      known[ByteText(prefix)] = made
      return made
    }
  }

  /// Notes the record that was written for a tag; nil for an erased one.
  func noteWritten(_ record: FetchRecord?, for tag: String) {
    let known = knownFetches.withLock { $0.values.filter { tag.beginsWithBytes(of: $0.prefix) } }
    for fetches in known { fetches.note(record, for: tag) }
  }

  /// Has the known fetches whose tags may begin with a prefix read again.
  func forgetFetches(prefix: String) {
    let known = knownFetches.withLock { known in
      known.values.filter {
        $0.prefix.beginsWithBytes(of: prefix) || prefix.beginsWithBytes(of: $0.prefix)
      }
    }
    for fetches in known { fetches.forget() }
  }

  /// Has the entry of a tag read the ledger again, because other code has written its record.
  func recall(_ tag: String) {
    let entries = known.withLock { $0[ByteText(tag)]?.values.compactMap(\.entry) ?? [] }
    for entry in entries { entry.recallAgain() }
  }

  /// Finds out whether the date was set back, before the ledger's records are used.
  ///
  /// It ignores errors: a ledger that cannot be read fails again when a record is needed.
  func check(_ time: CacheTime) async {
    let now = time.now
    guard isDue(now) else { return }
    // Noted at the end: until then, concurrent callers check as well, and use no record before.
    defer { noted.withLock { $0 = now } }
    let greatest = try? await ledger.greatestDate()
    if DateGuard.isSetBack(now.date, from: greatest) {
      try? await ledger.note(now.date)
      forgetFetches(prefix: "")
    } else if DateGuard.isNews(now.date, to: greatest) {
      noteInBackground(time)
    }
  }

  /// Notes the date in the ledger, because the date may have been set.
  func note(_ time: CacheTime) {
    let now = time.now
    guard isDue(now) else { return }
    noted.withLock { $0 = now }
    noteInBackground(time)
  }

  /// Notes the date in the background, because no caller should wait for it.
  ///
  /// It reads the date when it runs: an earlier one would look as if the date had been set back.
  private func noteInBackground(_ time: CacheTime) {
    WriteScope.apart {
      _ = Task { [ledger] in
        let date = time.date()
        let greatest = try? await ledger.greatestDate()
        try? await ledger.note(date)
        if DateGuard.isSetBack(date, from: greatest) { self.forgetFetches(prefix: "") }
      }
    }
  }

  /// Whether to note the date: once a minute, and when it was set.
  private func isDue(_ now: CacheMoment) -> Bool {
    guard let old = noted.withLock({ $0 }) else { return true }
    let time = now.time.subtracting(old.time).seconds
    let date = now.date.timeIntervalSince(old.date)
    return !(0..<60).contains(time) || abs(date - time) > 1
  }

  /// The tags that are observed, or that callers wait for.
  var tagsInUse: Set<ByteText> {
    Set(entries.filter(\.isInUse).map { ByteText($0.tag) })
  }

  /// Removes an entry that has ended.
  func forget(_ tag: String, _ identity: ObjectIdentifier) {
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
  func replaceStores(prefix: String) {
    for entry in entries(prefix) { entry.replaceStore() }
  }

  /// Validates the observed caches whose tags begin with a prefix.
  ///
  /// All at the same time: a service that does not answer delays only its own cache.
  func validate(prefix: String) async {
    await withTaskGroup { group in
      for entry in entries(prefix) { group.addTask { await entry.validateObserved() } }
    }
  }

  private func entries(_ prefix: String) -> [any Entry] {
    entries.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// All entries; released outside the lock, because the last reference to one ends it.
  var entries: [any Entry] {
    known.withLock { $0.values.flatMap { $0.values.compactMap(\.entry) } }
  }
}
