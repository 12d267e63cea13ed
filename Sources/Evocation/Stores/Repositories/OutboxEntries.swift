package import Foundation

/// The entries of all model types in a store, without their models, inside a transaction.
///
/// The outbox finds in them what to send next. An ``OutboxTransaction`` does what concerns the
/// models of one type, and has these entries as ``OutboxTransaction/entries``.
package protocol OutboxEntries {
  /// Whether there are no entries.
  var isEmpty: Bool { get throws }

  /// Returns pending entries of low urgency, or the others, within positions, the oldest first.
  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow]

  /// Returns entries whose wait is over at a date.
  ///
  /// An entry that began to wait after that date is one of them: the clock was set back since.
  func due(by date: Date, limit: Int) throws -> [OutboxRow]

  /// Returns the date at which the next wait ends; nil if no entry waits.
  func nextDue() throws -> Date?

  /// Returns the positions of the first and the last entry on an instance; nil if it has none.
  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>?

  /// The position of the next entry to be added.
  var nextPosition: Int64 { get throws }

  /// Returns the entries of a queue after a position, the oldest first.
  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow]

  /// Returns the entries on an instance from a position on, the oldest first.
  func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow]

  /// Returns the first of the entries of a unit that still exist, in order.
  func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow]

  /// Returns the first entry at a position or after it; nil if there is none.
  func row(from position: Int64) throws -> OutboxRow?

  /// Sets the state of all entries of a unit that still exist, without the service's words.
  func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) throws

  /// Returns the entry with an id; nil if there is none.
  func row(withID id: String) throws -> OutboxRow?

  /// Returns the instances that an entry refers to.
  func references(of position: Int64) throws -> [Outbox.Reference]

  /// Returns the first of these positions whose entry refers to an instance, or did before its
  /// write; nil for none.
  func firstReferring(
    to instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Int64?

  /// Sets an entry to pending, and records that it may reach the server from now on.
  func take(_ position: Int64) throws

  /// Turns an entry of low urgency into one like the others.
  ///
  /// - Returns: Whether it was of low urgency.
  func promote(_ position: Int64) throws -> Bool

  /// Sets all waiting entries to pending.
  func endWaits() throws

  /// The position up to which no entry can be sent but those of low urgency, as far as this process
  /// knows.
  ///
  /// When an entry changes or is deleted, the store lowers it to the position before that entry. It
  /// sets it to the least integer when it is opened, and when another process has changed it. No
  /// other entry waits for one of low urgency, so that the store need not lower it when it deletes
  /// one.
  var searched: Int64 { get nonmutating set }

  /// The same for entries of low urgency, which the store lowers for all that is deleted.
  var searchedUtility: Int64 { get nonmutating set }

  /// Returns the present name of an instance to which the server gave another id; nil if it gave
  /// none.
  func renaming(of instance: Outbox.Reference) throws -> OutboxRenaming?

  /// Records that an instance has another name from now on.
  ///
  /// The store keeps the record until the instance is renamed again, or until
  /// ``forgetRenamings(to:)``.
  func record(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws

  /// Deletes the records of instances that were renamed to this one, because it is gone.
  func forgetRenamings(to instance: Outbox.Reference) throws

  /// Returns since when and until when a server asked for no requests; nil if it did not ask.
  func patience(with service: String) throws -> ClosedRange<Date>?

  /// Records that a server asked for no requests for some time.
  ///
  /// A later process respects it too.
  func record(_ patience: ClosedRange<Date>, with service: String) throws

  /// Sets entries to pending again that were parked because they could not be decoded.
  ///
  /// Evocation calls it once in each process, because another version of the app may decode them.
  func reviveUnreadable() throws

  /// Counts the entries.
  ///
  /// A store that keeps their number may check it once, in a transaction that writes.
  func count() throws -> OutboxCount

  /// The lease of the outbox that sends the entries now; nil if none sends.
  var lease: OutboxLease? { get throws }

  /// Sets the lease of the outbox that sends the entries.
  func setLease(_ lease: OutboxLease?) throws

  /// Whether the entries wait until the user signs in again.
  var isHeld: Bool { get throws }

  /// Sets whether the entries wait until the user signs in again.
  func setHeld(_ isHeld: Bool) throws
}

extension OutboxEntries {
  /// How far the entries of a priority were searched.
  package subscript(searched isUtility: Bool) -> Int64 {
    get { isUtility ? searchedUtility : searched }
    nonmutating set { if isUtility { searchedUtility = newValue } else { searched = newValue } }
  }

  /// Has the next search begin with this position, or an earlier one.
  package func search(from position: Int64) {
    let before = position.subtractingClamped(1)
    (searched, searchedUtility) = (min(searched, before), min(searchedUtility, before))
  }

  /// Records that no entry waits for a user, if there is none.
  ///
  /// What the next user writes would wait otherwise, and be taken for what was set aside.
  package func releaseIfEmpty() throws {
    if try isHeld, try isEmpty { try setHeld(false) }
  }
}

/// One entry without its models.
package struct OutboxRow: Sendable, Hashable {
  /// The position of the entry in the store.
  package var position: Int64
  /// The id of the entry.
  package var id: String
  /// The instance that the entry changes.
  package var instance: Outbox.Reference
  /// What the entry does to its model.
  package var kind: Outbox.EntryKind
  /// Whether it refers to other instances.
  package var hasReferences: Bool
  /// Whether an attempt may have reached the server.
  package var wasAttempted: Bool
  /// The position of the first entry of its unit; nil for an entry of its own.
  package var unit: Int64?
  /// Whether it is sent after others, and not parked.
  package var isUtility: Bool
  /// The reason why it is parked; nil if it is not.
  package var parked: String?
  /// The number of failed attempts.
  package var attempts: Int

  /// Creates a row.
  package init(
    position: Int64, id: String, instance: Outbox.Reference, kind: Outbox.EntryKind,
    hasReferences: Bool, wasAttempted: Bool, unit: Int64? = nil, isUtility: Bool = false,
    parked: String? = nil, attempts: Int = 0
  ) {
    self.position = position
    self.id = id
    self.instance = instance
    self.kind = kind
    self.hasReferences = hasReferences
    self.wasAttempted = wasAttempted
    self.unit = unit
    self.isUtility = isUtility
    self.parked = parked
    self.attempts = attempts
  }
}

/// The present name of an instance to which the server gave another id.
package struct OutboxRenaming: Sendable, Hashable {
  /// The present key of the instance.
  package var key: String
  /// The property that is its id, as a JSON object.
  package var identity: Data

  /// Creates a renaming.
  package init(key: String, identity: Data) {
    self.key = key
    self.identity = identity
  }
}

/// The number of entries in a store.
package struct OutboxCount: Sendable, Hashable {
  /// The number of entries that the outbox sends automatically.
  package var pending: Int
  /// The number of parked entries.
  package var parked: Int
  /// The date of the oldest entry; nil without entries.
  package var oldest: Date?

  /// Creates a count.
  package init(pending: Int = 0, parked: Int = 0, oldest: Date? = nil) {
    self.pending = pending
    self.parked = parked
    self.oldest = oldest
  }
}

/// The right of one outbox to send the entries of a store, until it ends or is renewed.
package struct OutboxLease: Sendable, Hashable {
  /// Names the process and its outbox.
  package var holder: String
  /// The date at which it ends.
  package var until: Date
  /// Its length when it was taken; if it has longer to run, the clock was set back since then.
  package var length: Duration

  /// Creates a lease.
  package init(holder: String, until: Date, length: Duration) {
    self.holder = holder
    self.until = until
    self.length = length
  }
}
