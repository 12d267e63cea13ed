import Foundation

/// The tags of one ledger that are in use.
///
/// There is one for each ledger, as long as a tag of it is in use.
final class CacheScope: Sendable {
  /// What the scope has to know of a tag in use.
  protocol Cell: AnyObject, Sendable {
    var tag: String { get }
    var sourceName: String { get }
    /// Whether somebody observes it, or waits for a fetch of it.
    var isInUse: Bool { get }
    func invalidate() async throws
    /// Asks the ledger again, behind whoever says so.
    func recallAgain()
    func forget() async
  }

  /// A cell that may be gone; a class, because structs with weak references broke in dictionaries
  /// when they were built for debugging (Swift 6.3).
  private final class WeakCell: @unchecked Sendable {  // a weak reference is read atomically
    private(set) weak var cell: (any Cell)?
    let identity: ObjectIdentifier

    init(_ cell: any Cell) {
      self.cell = cell
      identity = ObjectIdentifier(cell)
    }
  }

  /// A scope that may be gone.
  private final class WeakScope: @unchecked Sendable {  // as above
    private(set) weak var scope: CacheScope?
    let identity: ObjectIdentifier

    init(_ scope: CacheScope) {
      self.scope = scope
      identity = ObjectIdentifier(scope)
    }
  }

  private static let scopes = Lock<[ObjectIdentifier: WeakScope]>([:])

  let ledger: any FetchLedger
  private let known = Lock<[ByteText: WeakCell]>([:])
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

  /// The scope of a ledger.
  static func of(_ ledger: any FetchLedger) -> CacheScope {
    let identity = ledger.identity
    return scopes.withLock { scopes in
      if let scope = scopes[identity]?.scope { return scope }
      let scope = CacheScope(ledger)
      scopes[identity] = WeakScope(scope)
      return scope
    }
  }

  /// The cell of a tag; one is made where there is none.
  func cell(_ tag: String, _ make: () -> any Cell) -> any Cell {
    var found: (any Cell)?
    known.withLock { cells in
      found = cells[ByteText(tag)]?.cell
      guard found == nil else { return }
      let cell = make()
      cells[ByteText(tag)] = WeakCell(cell)
      found = cell
    }
    return found ?? make()
  }

  /// Tells a tag, if it is in use, that something else has written what is remembered of it.
  func recall(_ tag: String) {
    known.withLock { $0[ByteText(tag)]?.cell }?.recallAgain()
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
    Set(cells.filter(\.isInUse).map(\.tag))
  }

  /// A cell is gone.
  func forget(_ tag: String, _ identity: ObjectIdentifier) {
    known.withLock { cells in
      if cells[ByteText(tag)]?.identity == identity { cells[ByteText(tag)] = nil }
    }
  }

  /// Tells the tags in use that begin with a prefix that they were forgotten.
  func forget(prefix: String) async {
    for cell in cells(prefix) { await cell.forget() }
  }

  /// Tells the tags in use that begin with a prefix that they were declared stale.
  func invalidate(prefix: String) async throws {
    var failure: (any Error)?
    for cell in cells(prefix) {
      do { try await cell.invalidate() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private func cells(_ prefix: String) -> [any Cell] {
    cells.filter { $0.tag.beginsWithBytes(of: prefix) }
  }

  /// The cells of all tags; let go of outside the lock, because the last reference to one ends it.
  private var cells: [any Cell] {
    known.withLock { $0.values.compactMap(\.cell) }
  }
}
