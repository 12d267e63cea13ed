import Foundation

/// The entries of repositories in memory, and the lock by which their writes take turns.
///
/// Each repository begins with a store of its own. Repositories whose entries wait for each other
/// come to share one.
final class InMemoryStore: Sendable {
  /// The lock of writes, which each write holds until its handlers have returned.
  ///
  /// So handlers are called in the order of the commits. Readers need not wait for it.
  let writing = Lock(())

  let entries = Lock(InMemoryEntries())

  /// The observers of changes of the entries.
  let observers = Broadcast<Void>()

  /// The store that took over this one's entries, and the observation that notifies this one's
  /// observers.
  private let successor = Lock<(store: InMemoryStore, telling: Evocation.Observation)?>(nil)

  /// The store that has this one's entries now.
  var present: InMemoryStore {
    var store = self
    while let next = store.successor.withLock({ $0?.store }) { store = next }
    return store
  }

  /// Locked while a store takes over another's entries, so that no two do so at the same time.
  private static let joining = Lock(())

  /// Moves all entries of another store into this one, in the order of their dates.
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

  /// An entry: its description without its model type, and the `Outbox.Entry` itself.
  struct Held: Sendable {
    var row: OutboxRow
    var state: Outbox.EntryState
    var queuedAt: Date
    /// The date at which it began to wait; nil if it does not wait.
    var waitsSince: Date?
    var words: ServiceWords?
    var references: [Outbox.Reference]
    /// The instances that it refers to before it is sent, and not after.
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
  /// What the server said about models besides their values.
  var notes: [Outbox.Reference: AnswerNote] = [:]
  /// Since when and until when servers have asked for no requests, by server.
  var patience: [String: ClosedRange<Date>] = [:]
  var searched = Position.min
  var searchedUtility = Position.min
  var lease: OutboxLease?
  var isHeld = false

  var isEmpty: Bool { order.isEmpty }

  func isEmpty(_ queue: String) -> Bool { counts[ByteText(queue)] == nil }

  var count: OutboxCount {
    OutboxCount(
      pending: order.count - parked.count, parked: parked.count,
      oldest: order.first.flatMap { held[$0]?.queuedAt })
  }

  func hasNotes(of queue: String) -> Bool {
    notes.keys.contains { $0.queue.hasSameBytes(as: queue) }
  }

  func positions(of instance: Outbox.Reference) -> [Position] { ofInstance[instance] ?? [] }

  /// Returns the positions of entries that refer to an instance, or did before their write.
  func positions(referringTo instance: Outbox.Reference) -> [Position] {
    (referring[instance] ?? []).sorted()
  }

  /// Returns the positions after a position, in their order.
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

  /// The position of the next entry to be added.
  var nextPosition: Position { last + 1 }

  /// Adds an entry behind all others, and returns its position.
  mutating func append(_ new: Held) -> Position {
    last = nextPosition
    var new = new
    new.row.position = last
    put(new)
    return last
  }

  /// Puts an entry at its position, and returns the entry that was there.
  @discardableResult
  mutating func put(_ new: Held) -> Held? {
    let position = new.row.position
    let old = delete(position)
    if !new.row.isUtility { searched = min(searched, position - 1) }
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

  /// Deletes the entry at a position, and returns it.
  @discardableResult
  mutating func delete(_ position: Position) -> Held? {
    guard let old = held.removeValue(forKey: position) else { return nil }
    searchedUtility = min(searchedUtility, position - 1)
    if !old.row.isUtility { searched = min(searched, position - 1) }
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

  /// Takes over another store's entries, merged by date; each store's entries keep their order.
  mutating func takeOver(_ other: InMemoryEntries) {
    var mine = order.compactMap { held[$0] }[...]
    var theirs = other.order.compactMap { other.held[$0] }[...]
    let (lease, isHeld) = (lease ?? other.lease, isHeld || other.isHeld)
    let (renamings, notes) = (renamings, notes)
    // Of two pauses that one server asked for, the longer.
    let patience = patience.merging(other.patience) { $0.upperBound < $1.upperBound ? $1 : $0 }
    self = InMemoryEntries()
    self.patience = patience
    self.renamings = renamings.merging(other.renamings) { first, _ in first }
    self.notes = notes.merging(other.notes) { first, _ in first }
    (self.lease, self.isHeld) = (lease, isHeld)
    /// The new positions of the units of both stores.
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

  /// Returns the index in the order of the first position that is greater.
  private func index(after position: Position) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
