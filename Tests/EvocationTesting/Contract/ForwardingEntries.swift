import Evocation
import Foundation

/// The entries of a store as another's, but where it is said what is otherwise.
protocol ForwardingEntries: OutboxEntries {
  /// The entries underneath.
  var base: any OutboxEntries { get }
}

extension ForwardingEntries {
  func pending(after position: Int64, limit: Int) throws -> [OutboxRow] {
    try base.pending(after: position, limit: limit)
  }
  func due(by date: Date, limit: Int) throws -> [OutboxRow] { try base.due(by: date, limit: limit) }
  func nextDue() throws -> Date? { try base.nextDue() }
  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>? {
    try base.ends(of: instance)
  }
  func references(of position: Int64) throws -> [Outbox.Reference] {
    try base.references(of: position)
  }
  func isReferredTo(
    _ instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Bool {
    try base.isReferredTo(instance, within: positions)
  }
  var nextPosition: Int64 { get throws { try base.nextPosition } }
  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow] {
    try base.rows(of: queue, after: position, limit: limit)
  }
  func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow] {
    try base.rows(of: instance, from: position)
  }
  func take(_ position: Int64) throws { try base.take(position) }
  func endWaits() throws { try base.endWaits() }
  var searched: Int64 {
    get { base.searched }
    nonmutating set { base.searched = newValue }
  }
  func renaming(of instance: Outbox.Reference) throws -> OutboxRenaming? {
    try base.renaming(of: instance)
  }
  func note(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws {
    try base.note(renaming, of: instance)
  }
  func forgetRenamings(to instance: Outbox.Reference) throws {
    try base.forgetRenamings(to: instance)
  }
  func reviveUnreadable() throws { try base.reviveUnreadable() }
  func count() throws -> OutboxCount { try base.count() }
  var lease: OutboxLease? { get throws { try base.lease } }
  func setLease(_ lease: OutboxLease?) throws { try base.setLease(lease) }
  var isHeld: Bool { get throws { try base.isHeld } }
  func setHeld(_ isHeld: Bool) throws { try base.setHeld(isHeld) }
}
