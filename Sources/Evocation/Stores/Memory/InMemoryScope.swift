import Foundation

/// One transaction of an ``InMemoryStore``, which its repositories share.
final class InMemoryScope: OutboxEntries {
  private let store: InMemoryStore
  var entries: InMemoryEntries
  /// The closures that take back changes of the entries, to be called from last to first.
  private var undoing: [(inout InMemoryEntries) -> Void] = []
  /// The parts of repositories, each with the closure that applies its changes to the repository.
  private var parts: [(part: AnyObject, commit: () -> Void)] = []

  init(_ entries: consuming InMemoryEntries, of store: InMemoryStore) {
    self.entries = entries
    self.store = store
  }

  var hasChangedEntries: Bool { !undoing.isEmpty }

  func transaction<Model>(of repository: InMemoryRepository<Model>) -> InMemoryTransaction<Model> {
    for case let part as InMemoryTransaction<Model> in parts.map(\.part)
    where part.repository === repository {
      return part
    }
    let part = InMemoryTransaction(repository, self)
    parts.append((part, { repository.apply(part.taken()) }))
    return part
  }

  /// Ends the scope, and returns the closures that apply the parts' changes to their repositories.
  func commits() -> [() -> Void] {
    defer { parts = [] }
    return parts.map(\.commit)
  }

  func takeBack() {
    for undo in undoing.reversed() { undo(&entries) }
    (undoing, parts) = ([], [])
  }

  /// Returns the entries to the store.
  func close() { store.entries.withLock { swap(&$0, &entries) } }

  func part<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    guard let repository = repository as? any InMemoryQueueing, repository.store === store
    else { return nil }
    return repository.part(of: self) as? any OutboxTransaction<Other>
  }

  // The changes and the reads of entries.

  func append(_ held: InMemoryEntries.Held) -> Int64 {
    let position = entries.append(held)
    undoing.append { $0.delete(position) }
    return position
  }

  func put(_ held: InMemoryEntries.Held) {
    guard let old = entries.put(held) else { return }
    undoing.append { $0.put(old) }
  }

  func delete(_ position: Int64) {
    guard let old = entries.delete(position) else { return }
    undoing.append { $0.put(old) }
  }

  var isEmpty: Bool { entries.isEmpty }

  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) -> [OutboxRow] {
    var rows: [OutboxRow] = []
    for position in entries.positions(after: positions.lowerBound.subtractingClamped(1)) {
      if rows.count >= limit || position > positions.upperBound { break }
      guard let held = entries.held[position], held.state == .pending,
        held.row.isUtility == isUtility
      else { continue }
      rows.append(held.row)
    }
    return rows
  }

  func due(by date: Date, limit: Int) -> [OutboxRow] {
    entries.due(by: date).prefix(limit).map(\.row)
  }

  func nextDue() -> Date? { entries.nextDue }

  var nextPosition: Int64 { entries.nextPosition }

  func rows(of queue: String, after position: Int64, limit: Int) -> [OutboxRow] {
    Array(
      entries.positions(after: position).lazy
        .compactMap { [entries] in entries.held[$0] }
        .filter { $0.row.instance.queue.hasSameBytes(as: queue) }.prefix(limit)
    ).map { held in
      var row = held.row
      if case .parked(_, let reason) = held.state { row.parked = reason }
      return row
    }
  }

  func rows(of instance: Outbox.Reference, from position: Int64) -> [OutboxRow] {
    entries.positions(of: instance).filter { $0 >= position }.compactMap { entries.held[$0]?.row }
  }

  func rows(ofUnit unit: Int64, limit: Int) -> [OutboxRow] {
    Array(
      entries.positions(after: unit.subtractingClamped(1)).lazy
        .compactMap { [entries] in entries.held[$0]?.row }.prefix { $0.unit == unit }.prefix(limit))
  }

  func row(from position: Int64) -> OutboxRow? {
    entries.positions(after: position.subtractingClamped(1)).first.flatMap {
      entries.held[$0]?.row
    }
  }

  func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) {
    for row in rows(ofUnit: unit, limit: .max) {
      guard var held = entries.held[row.position] else { continue }
      (held.state, held.waitsSince, held.words) = (state, nil, nil)
      put(held)
    }
  }

  func row(withID id: String) -> OutboxRow? {
    entries.held.values.first { $0.row.id == id }?.row
  }

  func ends(of instance: Outbox.Reference) -> ClosedRange<Int64>? {
    let positions = entries.positions(of: instance)
    return positions.first.flatMap { first in positions.last.map { first...$0 } }
  }

  func references(of position: Int64) -> [Outbox.Reference] {
    entries.held[position]?.references ?? []
  }

  func firstReferring(
    to instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) -> Int64? {
    entries.positions(referringTo: instance).first(where: positions.contains)
  }

  func promote(_ position: Int64) -> Bool {
    guard var held = entries.held[position], held.row.isUtility else { return false }
    held.row.isUtility = false
    put(held)
    return true
  }

  func take(_ position: Int64) {
    guard var held = entries.held[position] else { return }
    (held.state, held.row.wasAttempted) = (.pending, true)
    (held.waitsSince, held.words) = (nil, nil)
    let searched = (entries.searched, entries.searchedUtility)
    put(held)
    (entries.searched, entries.searchedUtility) = searched
  }

  func endWaits() {
    for var held in entries.due(by: .distantFuture) {
      (held.state, held.waitsSince, held.words) = (.pending, nil, nil)
      put(held)
    }
  }

  var searched: Int64 {
    get { entries.searched }
    set { entries.searched = newValue }
  }

  var searchedUtility: Int64 {
    get { entries.searchedUtility }
    set { entries.searchedUtility = newValue }
  }

  func renaming(of instance: Outbox.Reference) -> OutboxRenaming? { entries.renamings[instance] }

  func record(_ renaming: OutboxRenaming, of instance: Outbox.Reference) {
    let old = entries.renamings.updateValue(renaming, forKey: instance)
    undoing.append { $0.renamings[instance] = old }
  }

  func forgetRenamings(to instance: Outbox.Reference) {
    let old = entries.renamings
    entries.renamings = old.filter { former, renaming in
      !(former.queue == instance.queue && renaming.key.hasSameBytes(as: instance.key))
    }
    if entries.renamings.count < old.count { undoing.append { $0.renamings = old } }
  }

  func setNote(_ note: AnswerNote?, of instance: Outbox.Reference) {
    let old = entries.notes[instance]
    guard old != note else { return }
    entries.notes[instance] = note
    undoing.append { $0.notes[instance] = old }
  }

  func patience(with service: String) -> ClosedRange<Date>? { entries.patience[service] }

  func record(_ patience: ClosedRange<Date>, with service: String) {
    let old = entries.patience.updateValue(patience, forKey: service)
    undoing.append { $0.patience[service] = old }
  }

  /// Does nothing, because no entry is unreadable.
  func reviveUnreadable() {}

  func count() -> OutboxCount { entries.count }

  var lease: OutboxLease? { entries.lease }

  func setLease(_ lease: OutboxLease?) {
    let old = entries.lease
    entries.lease = lease
    undoing.append { $0.lease = old }
  }

  var isHeld: Bool { entries.isHeld }

  func setHeld(_ isHeld: Bool) {
    let old = entries.isHeld
    entries.isHeld = isHeld
    undoing.append { $0.isHeld = old }
  }
}
