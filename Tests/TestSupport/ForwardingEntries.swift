package import Evocation
package import Foundation

/// The entries of a store as another's, but where it is said what is otherwise.
package protocol ForwardingEntries: OutboxEntries {
  /// The entries underneath.
  var base: any OutboxEntries { get }
}

extension ForwardingEntries {
  package var isEmpty: Bool { get throws { try base.isEmpty } }
  package func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow] {
    try base.rows(ofUnit: unit, limit: limit)
  }
  package func row(withID id: String) throws -> OutboxRow? { try base.row(withID: id) }
  package func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) throws {
    try base.setState(state, ofUnit: unit)
  }
  package func patience(with service: String) throws -> ClosedRange<Date>? {
    try base.patience(with: service)
  }
  package func record(_ patience: ClosedRange<Date>, with service: String) throws {
    try base.record(patience, with: service)
  }
  package func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow] {
    try base.pending(within: positions, limit: limit, isUtility: isUtility)
  }
  package func due(by date: Date, limit: Int) throws -> [OutboxRow] {
    try base.due(by: date, limit: limit)
  }
  package func nextDue() throws -> Date? { try base.nextDue() }
  package func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>? {
    try base.ends(of: instance)
  }
  package func references(of position: Int64) throws -> [Outbox.Reference] {
    try base.references(of: position)
  }
  package func firstReferring(
    to instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Int64? {
    try base.firstReferring(to: instance, within: positions)
  }
  package func promote(_ position: Int64) throws -> Bool { try base.promote(position) }
  package var nextPosition: Int64 { get throws { try base.nextPosition } }
  package func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow] {
    try base.rows(of: queue, after: position, limit: limit)
  }
  package func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow] {
    try base.rows(of: instance, from: position)
  }
  package func take(_ position: Int64) throws { try base.take(position) }
  package func row(from position: Int64) throws -> OutboxRow? { try base.row(from: position) }
  package func endWaits() throws { try base.endWaits() }
  package var searched: Int64 {
    get { base.searched }
    nonmutating set { base.searched = newValue }
  }
  package var searchedUtility: Int64 {
    get { base.searchedUtility }
    nonmutating set { base.searchedUtility = newValue }
  }
  package func renaming(of instance: Outbox.Reference) throws -> OutboxRenaming? {
    try base.renaming(of: instance)
  }
  package func record(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws {
    try base.record(renaming, of: instance)
  }
  package func forgetRenamings(to instance: Outbox.Reference) throws {
    try base.forgetRenamings(to: instance)
  }
  package func reviveUnreadable() throws { try base.reviveUnreadable() }
  package func count() throws -> OutboxCount { try base.count() }
  package var lease: OutboxLease? { get throws { try base.lease } }
  package func setLease(_ lease: OutboxLease?) throws { try base.setLease(lease) }
  package var isHeld: Bool { get throws { try base.isHeld } }
  package func setHeld(_ isHeld: Bool) throws { try base.setHeld(isHeld) }
}

extension OutboxEntries {
  /// Returns pending entries of all priorities after a position, the oldest first.
  package func pending(after position: Int64, limit: Int) throws -> [OutboxRow] {
    let all = try [false, true].flatMap {
      try pending(within: position.addingClamped(1)...(.max), limit: limit, isUtility: $0)
    }
    return Array(all.sorted { $0.position < $1.position }.prefix(limit))
  }
}
