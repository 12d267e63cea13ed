import Foundation

/// Where repositories in memory keep their entries, and what their writes take turns by.
///
/// Each begins with one of its own. Those whose entries wait for each other come to have one together.
final class InMemoryStore: Sendable {
  /// Held by a write until its handlers have returned, so that these are called in the order of the
  /// commits, while readers need not wait.
  let writing = Lock(())

  let entries = Lock(InMemoryEntries())

  /// Who is told that entries changed.
  let observers = Notifier()

  /// The store that took this one's entries over, and what tells those who observe this one.
  private let successor = Lock<(store: InMemoryStore, telling: Evocation.Observation)?>(nil)

  /// The store that has this one's entries now.
  var present: InMemoryStore {
    var store = self
    while let next = store.successor.withLock({ $0?.store }) { store = next }
    return store
  }

  /// Held while one takes another's entries over, so that two do not do so at once.
  private static let joining = Lock(())

  /// Has all entries of another store lie in this one, by when they were queued.
  func takeOver(_ other: InMemoryStore) {
    Self.joining.withLock { _ in
      let (mine, other) = (present, other.present)
      guard mine !== other else { return }
      mine.writing.withLock { _ in
        other.writing.withLock { _ in
          let theirs = other.entries.withLock { entries in
            defer { entries = InMemoryEntries() }
            return entries
          }
          mine.entries.withLock { $0.takeOver(theirs) }
          let telling = mine.observers.observe { [weak other] in other?.observers.tell() }
          other.successor.withLock { $0 = (mine, telling) }
        }
      }
    }
  }
}

/// The entries of an ``InMemoryStore``, as a value.
struct InMemoryEntries: Sendable {
  typealias Position = Int64

  /// An entry: what is known of it without its model type, and the `Outbox.Entry` itself.
  struct Held: Sendable {
    var row: OutboxRow
    var state: Outbox.EntryState
    var queuedAt: Date
    /// When it began to wait; nil where it does not.
    var waitsSince: Date?
    var references: [Outbox.Reference]
    /// What it referred to before it is sent, and not after.
    var formerReferences: [Outbox.Reference]
    var entry: any Sendable
  }

  private(set) var held: [Position: Held] = [:]
  /// The positions in their order.
  private var order: [Position] = []
  private var ofInstance: [Outbox.Reference: [Position]] = [:]
  private var referring: [Outbox.Reference: Set<Position>] = [:]
  private var counts: [ByteText: Int] = [:]
  private var parked: Set<Position> = []
  private var waiting: Set<Position> = []
  private var last: Position = 0
  var renamings: [Outbox.Reference: OutboxRenaming] = [:]
  /// The service's versions of models.
  var versions: [Outbox.Reference: String] = [:]
  /// When services asked to be left alone, and until when.
  var patience: [String: ClosedRange<Date>] = [:]
  var searched = Position.min
  var lease: OutboxLease?
  var isHeld = false

  var isEmpty: Bool { order.isEmpty }

  func isEmpty(_ queue: String) -> Bool { counts[ByteText(queue)] == nil }

  var count: OutboxCount {
    OutboxCount(
      pending: order.count - parked.count, parked: parked.count,
      oldest: order.first.flatMap { held[$0]?.queuedAt })
  }

  func knowsVersions(of queue: String) -> Bool {
    versions.keys.contains { $0.queue.hasSameBytes(as: queue) }
  }

  func positions(of instance: Outbox.Reference) -> [Position] { ofInstance[instance] ?? [] }

  /// The positions of the entries that refer to an instance, or do so no longer when they are sent.
  func positions(referringTo instance: Outbox.Reference) -> [Position] {
    (referring[instance] ?? []).sorted()
  }

  /// Entries after a position, the oldest first.
  func positions(after position: Position) -> ArraySlice<Position> {
    order[index(after: position)...]
  }

  func due(by date: Date) -> [Held] {
    waiting.sorted().compactMap { held[$0] }.filter { entry in
      guard case .waiting(let until, _) = entry.state else { return false }
      return until <= date || entry.waitsSince.map { $0 > date } ?? false
    }
  }

  var nextDue: Date? {
    waiting.compactMap { position -> Date? in
      guard case .waiting(let until, _)? = held[position]?.state else { return nil }
      return until
    }.min()
  }

  /// The position that the next entry gets.
  var nextPosition: Position { last + 1 }

  /// Adds an entry behind all others, and gives its position.
  mutating func append(_ new: Held) -> Position {
    last = nextPosition
    var new = new
    new.row.position = last
    put(new)
    return last
  }

  /// Puts an entry at its position, and gives the one that was there.
  @discardableResult
  mutating func put(_ new: Held) -> Held? {
    let position = new.row.position
    let old = delete(position)
    held[position] = new
    order.insert(position, at: index(after: position))
    let among = ofInstance[new.row.instance] ?? []
    ofInstance[new.row.instance, default: []].insert(
      position, at: among.firstIndex { $0 > position } ?? among.count)
    for reference in new.references + new.formerReferences {
      referring[reference, default: []].insert(position)
    }
    counts[ByteText(new.row.instance.queue), default: 0] += 1
    switch new.state {
    case .parked: parked.insert(position)
    case .waiting: waiting.insert(position)
    case .pending, .sending: break
    }
    return old
  }

  /// Deletes the entry at a position, and gives it.
  @discardableResult
  mutating func delete(_ position: Position) -> Held? {
    guard let old = held.removeValue(forKey: position) else { return nil }
    searched = min(searched, position - 1)
    order.remove(at: index(after: position) - 1)
    ofInstance[old.row.instance]?.removeAll { $0 == position }
    if ofInstance[old.row.instance]?.isEmpty == true { ofInstance[old.row.instance] = nil }
    for reference in old.references + old.formerReferences {
      referring[reference]?.remove(position)
      if referring[reference]?.isEmpty == true { referring[reference] = nil }
    }
    let queue = ByteText(old.row.instance.queue)
    counts[queue] = counts[queue].flatMap { $0 > 1 ? $0 - 1 : nil }
    parked.remove(position)
    waiting.remove(position)
    return old
  }

  /// Takes another store's entries over, each store's in their order.
  mutating func takeOver(_ other: InMemoryEntries) {
    var mine = order.compactMap { held[$0] }[...]
    var theirs = other.order.compactMap { other.held[$0] }[...]
    let (lease, isHeld) = (lease ?? other.lease, isHeld || other.isHeld)
    let (renamings, versions) = (renamings, versions)
    self = InMemoryEntries()
    self.renamings = renamings.merging(other.renamings) { first, _ in first }
    self.versions = versions.merging(other.versions) { first, _ in first }
    (self.lease, self.isHeld) = (lease, isHeld)
    /// The units of both under their new positions.
    var units: [[Position: Position]] = [[:], [:]]
    func append(_ entry: Held, of side: Int, to entries: inout Self) {
      var entry = entry
      entry.row.unit = entry.row.unit.map { unit in
        let known = units[side][unit] ?? entries.nextPosition
        units[side][unit] = known
        return known
      }
      _ = entries.append(entry)
    }
    while let first = mine.first, let second = theirs.first {
      if first.queuedAt <= second.queuedAt {
        append(mine.removeFirst(), of: 0, to: &self)
      } else {
        append(theirs.removeFirst(), of: 1, to: &self)
      }
    }
    for entry in mine { append(entry, of: 0, to: &self) }
    for entry in theirs { append(entry, of: 1, to: &self) }
  }

  /// The index in the order of the first position that is greater.
  private func index(after position: Position) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Outbox.Entry {
  /// Whether it is not sent again by itself.
  package var isParked: Bool {
    if case .parked = state { true } else { false }
  }
}
