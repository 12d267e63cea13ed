import Foundation

/// The tags of one ledger that are in use.
///
/// There is one for each ledger, as long as a tag of it is in use.
final class CacheRegistry: Sendable {
  /// What the registry has to know of a tag in use.
  protocol Entry: AnyObject, Sendable {
    var tag: String { get }
    var sourceName: String { get }
    /// Whether somebody observes it, or waits for a fetch of it.
    var isInUse: Bool { get }
    func invalidate() async throws
    /// Asks the ledger again, behind whoever says so.
    func recallAgain()
    func forget() async
  }

  /// An entry that may be gone; a class, because structs with weak references broke in dictionaries
  /// when they were built for debugging (Swift 6.3).
  private final class WeakEntry: @unchecked Sendable {  // a weak reference is read atomically
    private(set) weak var entry: (any Entry)?
    let identity: ObjectIdentifier

    init(_ entry: any Entry) {
      self.entry = entry
      identity = ObjectIdentifier(entry)
    }
  }

  /// A registry that may be gone.
  private final class WeakRegistry: @unchecked Sendable {  // as above
    private(set) weak var scope: CacheRegistry?
    let identity: ObjectIdentifier

    init(_ scope: CacheRegistry) {
      self.scope = scope
      identity = ObjectIdentifier(scope)
    }
  }

  private static let scopes = Lock<[ObjectIdentifier: WeakRegistry]>([:])

  let ledger: any FetchLedger
  private let known = Lock<[ByteText: WeakEntry]>([:])
  /// When the ledger was last told the date.
  private let noted = Lock<CacheMoment?>(nil)

  private init(_ ledger: any FetchLedger) {
    self.ledger = ledger
  }

  deinit {
    let (key, identity) = (ledger.identity, ObjectIdentifier(self))
    Self.scopes.withLock { scopes in
      if scopes[key]?.identity == identity { scopes[key] = nil }
    }
  }

  /// The registry of a ledger.
  static func of(_ ledger: any FetchLedger) -> CacheRegistry {
    let identity = ledger.identity
    return scopes.withLock { scopes in
      if let scope = scopes[identity]?.scope { return scope }
      let scope = CacheRegistry(ledger)
      scopes[identity] = WeakRegistry(scope)
      return scope
    }
  }

  /// The entry of a tag; one is made where there is none.
  func entry(_ tag: String, _ make: () -> any Entry) -> any Entry {
    var found: (any Entry)?
    known.withLock { entries in
      found = entries[ByteText(tag)]?.entry
      guard found == nil else { return }
      let entry = make()
      entries[ByteText(tag)] = WeakEntry(entry)
      found = entry
    }
    return found ?? make()
  }

  /// Tells a tag, if it is in use, that something else has written what is remembered of it.
  func recall(_ tag: String) {
    known.withLock { $0[ByteText(tag)]?.entry }?.recallAgain()
  }

  /// Finds out whether the date was set back, before what the ledger remembers is believed.
  ///
  /// A ledger that cannot be asked says so when it is asked for more.
  func check(_ time: CacheTime) async {
    let now = time.now
    guard isDue(now) else { return }
    let greatest = try? await ledger.greatestDate()
    if DateGuard.isSetBack(now.date, from: greatest) {
      try? await ledger.note(now.date)
    } else if DateGuard.isNews(now.date, to: greatest) {
      tell(time)
    }
  }

  /// Tells the ledger the date, which may be another than it seems to be.
  func note(_ time: CacheTime) {
    if isDue(time.now) { tell(time) }
  }

  /// Nobody waits for it: that a date was seen is not worth a wait for who writes.
  ///
  /// It is the date at that moment: an earlier one would look as if it had been set back.
  private func tell(_ time: CacheTime) {
    WriteScope.apart { _ = Task { [ledger] in try? await ledger.note(time.date()) } }
  }

  /// Whether the ledger is to be told the date: now and then, and when it was set.
  private func isDue(_ now: CacheMoment) -> Bool {
    noted.withLock { noted in
      if let old = noted {
        let time = now.time.subtracting(old.time).seconds
        let date = now.date.timeIntervalSince(old.date)
        if (0..<60).contains(time), abs(date - time) <= 1 { return false }
      }
      noted = now
      return true
    }
  }

  /// The tags that somebody observes, or waits for.
  var tagsInUse: Set<String> {
    Set(entries.filter(\.isInUse).map(\.tag))
  }

  /// An entry is gone.
  func forget(_ tag: String, _ identity: ObjectIdentifier) {
    known.withLock { entries in
      if entries[ByteText(tag)]?.identity == identity { entries[ByteText(tag)] = nil }
    }
  }

  /// Tells the tags in use that begin with a prefix that they were forgotten.
  func forget(prefix: String) async {
    for entry in entries(prefix) { await entry.forget() }
  }

  /// Tells the tags in use that begin with a prefix that they were declared stale.
  func invalidate(prefix: String) async throws {
    var failure: (any Error)?
    for entry in entries(prefix) {
      do { try await entry.invalidate() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func entries(_ prefix: String) -> [any Entry] {
    entries.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// The entries of all tags; let go of outside the lock, because the last reference to one ends it.
  private var entries: [any Entry] {
    known.withLock { $0.values.compactMap(\.entry) }
  }
}
