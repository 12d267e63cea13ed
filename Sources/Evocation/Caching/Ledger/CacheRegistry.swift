import Foundation

/// The entries of the tags of one ledger that are in use.
///
/// A ledger has one registry, for as long as one of its tags is in use.
final class CacheRegistry: Sendable {
  /// What the registry needs of a tag's entry.
  protocol Entry: AnyObject, Sendable {
    var tag: String { get }
    var sourceName: String { get }
    /// Whether it is observed, or a caller waits for a fetch of it.
    var isInUse: Bool { get }
    func invalidate() async throws
    /// Fetches, where it is observed, what is missing, stale, or failed last time.
    func validateObserved() async
    /// Asks the ledger again; returns at once.
    func recallAgain()
    func forget() async
    /// Has its repositories go over to the store that its model's local repository now is.
    func replaceStore()
  }

  /// A weak reference to an entry; a class, because structs with weak references break in
  /// dictionaries in debug builds (Swift 6.3).
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
  /// By tag, and by the store of the source where that has one.
  private let known = Lock<[ByteText: [StoreID?: WeakEntry]]>([:])
  /// What is known of the fetches of model types, by what their tags begin with.
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

  /// The entry of a tag, and of a store where the source has one; made where there is none.
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

  /// What is known of the fetches whose tags begin with a prefix.
  func fetches(prefix: String) -> KnownFetches {
    knownFetches.withLock { known in
      if let found = known[ByteText(prefix)] { return found }
      let made = KnownFetches(ledger, prefix: prefix)
      known[ByteText(prefix)] = made
      return made
    }
  }

  /// Takes note of what was written for a tag; nil for an erasure.
  func noteWritten(_ record: FetchRecord?, for tag: String) {
    let known = knownFetches.withLock { $0.values.filter { tag.beginsWithBytes(of: $0.prefix) } }
    for fetches in known { fetches.note(record, for: tag) }
  }

  /// Has what is known of fetches read again, whose tags may begin with a prefix.
  func forgetFetches(prefix: String) {
    let known = knownFetches.withLock { known in
      known.values.filter {
        $0.prefix.beginsWithBytes(of: prefix) || prefix.beginsWithBytes(of: $0.prefix)
      }
    }
    for fetches in known { fetches.forget() }
  }

  /// Has the entry of a tag ask the ledger again, because something else has written its record.
  func recall(_ tag: String) {
    let entries = known.withLock { $0[ByteText(tag)]?.values.compactMap(\.entry) ?? [] }
    for entry in entries { entry.recallAgain() }
  }

  /// Finds out whether the date was set back, before the ledger's records are used.
  ///
  /// Errors are ignored: a ledger that cannot be read fails again when a record is asked for.
  func check(_ time: CacheTime) async {
    let now = time.now
    guard isDue(now) else { return }
    // Noted at the end: until it is known, others ask as well, and use no record before.
    defer { noted.withLock { $0 = now } }
    let greatest = try? await ledger.greatestDate()
    if DateGuard.isSetBack(now.date, from: greatest) {
      try? await ledger.note(now.date)
      forgetFetches(prefix: "")
    } else if DateGuard.isNews(now.date, to: greatest) {
      noteInBackground(time)
    }
  }

  /// Notes the date in the ledger, because it may have been set.
  func note(_ time: CacheTime) {
    let now = time.now
    guard isDue(now) else { return }
    noted.withLock { $0 = now }
    noteInBackground(time)
  }

  /// Notes the date in the background, because it is not worth a caller's wait.
  ///
  /// It takes the date when it runs: an earlier one would look as if the date had been set back.
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

  /// Makes the entries forget whose tags begin with a prefix.
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

  /// Has the caches whose tags begin with a prefix go over to the stores that are registered now.
  func replaceStores(prefix: String) {
    for entry in entries(prefix) { entry.replaceStore() }
  }

  /// Has the observed caches validated whose tags begin with a prefix.
  ///
  /// Side by side: one whose service does not answer keeps no other waiting.
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
