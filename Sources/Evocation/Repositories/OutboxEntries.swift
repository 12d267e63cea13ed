package import Foundation

/// The entries of all model types of a store, without their models, within a transaction.
///
/// By these the outbox finds what is sent next. What concerns the models of one type is done by an
/// ``OutboxTransaction``, which has these as ``OutboxTransaction/entries``.
package protocol OutboxEntries {
  /// Whether there are no entries.
  var isEmpty: Bool { get throws }

  /// Entries after a position that are pending, the oldest first.
  func pending(after position: Int64, limit: Int) throws -> [OutboxRow]

  /// Entries that have waited until a date, or were told to wait after it, by a clock that was set back.
  func due(by date: Date, limit: Int) throws -> [OutboxRow]

  /// When the next entry has waited long enough; nil where none waits.
  func nextDue() throws -> Date?

  /// The positions of the first and the last entry on an instance; nil where it has none.
  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>?

  /// The position that the next entry gets.
  var nextPosition: Int64 { get throws }

  /// The entries of a queue after a position, the oldest first.
  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow]

  /// The entries on an instance from a position on, the oldest first.
  func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow]

  /// The first entries of a unit that are there still, in order.
  func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow]

  /// Sets what becomes next of all entries of a unit that are there still.
  func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) throws

  /// The entry that has an id; nil where none has it.
  func row(withID id: String) throws -> OutboxRow?

  /// The instances that an entry refers to.
  func references(of position: Int64) throws -> [Outbox.Reference]

  /// Whether an entry at one of these positions refers to an instance, or does so no longer when it is sent.
  func isReferredTo(
    _ instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Bool

  /// Has an entry be pending, and takes note that it may reach the remote from now on.
  func take(_ position: Int64) throws

  /// Has all entries that wait be pending.
  func endWaits() throws

  /// The position up to which no entry can be sent, as far as this process knows.
  ///
  /// The store lowers it with each entry that changes or is deleted, to the position before that; and to
  /// the least integer when it is opened, and when another process has changed it.
  var searched: Int64 { get nonmutating set }

  /// What an instance is called since the service gave it another id; nil where it gave none.
  func renaming(of instance: Outbox.Reference) throws -> OutboxRenaming?

  /// Takes note that an instance is called otherwise from now on.
  ///
  /// It is kept until it is renamed anew, or ``forgetRenamings(to:)``.
  func note(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws

  /// Forgets what was renamed to an instance, because that is gone.
  func forgetRenamings(to instance: Outbox.Reference) throws

  /// Until when a service asked to be left alone, and since when; nil where it did not ask.
  func patience(with service: String) throws -> ClosedRange<Date>?

  /// Takes note that a service asked to be left alone, which a later process heeds too.
  func note(_ patience: ClosedRange<Date>, with service: String) throws

  /// Makes entries pending again that were parked because they could not be decoded.
  ///
  /// It is called once in a process, because another version of the app may be able to.
  func reviveUnreadable() throws

  /// Counts the entries.
  ///
  /// A store that keeps their number may look once, in a transaction that writes, whether it is right.
  func count() throws -> OutboxCount

  /// Who sends the entries at present; nil for nobody.
  var lease: OutboxLease? { get throws }

  /// Sets who sends the entries.
  func setLease(_ lease: OutboxLease?) throws

  /// Whether the entries wait for the user to sign in again.
  var isHeld: Bool { get throws }

  /// Sets whether the entries wait for the user to sign in again.
  func setHeld(_ isHeld: Bool) throws
}

/// One entry without its models.
package struct OutboxRow: Sendable, Hashable {
  /// Where the entry stands.
  package var position: Int64
  /// The entry's id.
  package var id: String
  /// The instance that it is on.
  package var instance: Outbox.Reference
  /// What is done to the model.
  package var kind: Outbox.EntryKind
  /// Whether it refers to other instances.
  package var hasReferences: Bool
  /// Whether an attempt may have reached the remote.
  package var wasAttempted: Bool
  /// The position of the first entry of its unit; nil for an entry of its own.
  package var unit: Int64?
  /// Why it is parked; nil where it is not.
  package var parked: String?

  /// Makes a row.
  package init(
    position: Int64, id: String, instance: Outbox.Reference, kind: Outbox.EntryKind,
    hasReferences: Bool, wasAttempted: Bool, unit: Int64? = nil, parked: String? = nil
  ) {
    self.position = position
    self.id = id
    self.instance = instance
    self.kind = kind
    self.hasReferences = hasReferences
    self.wasAttempted = wasAttempted
    self.unit = unit
    self.parked = parked
  }
}

/// What an instance is called that the service gave another id.
package struct OutboxRenaming: Sendable, Hashable {
  /// The key of the instance now.
  package var key: String
  /// The property that is its id, as a JSON object.
  package var identity: Data

  /// Makes a renaming.
  package init(key: String, identity: Data) {
    self.key = key
    self.identity = identity
  }
}

/// How many entries a store has.
package struct OutboxCount: Sendable, Hashable {
  /// The entries that are sent by themselves.
  package var pending: Int
  /// The entries that are parked.
  package var parked: Int
  /// When the oldest entry was queued; nil without entries.
  package var oldest: Date?

  /// Makes a count.
  package init(pending: Int = 0, parked: Int = 0, oldest: Date? = nil) {
    self.pending = pending
    self.parked = parked
    self.oldest = oldest
  }
}

/// Who sends the entries of a store, and for how long the right lasts unless it is renewed.
package struct OutboxLease: Sendable, Hashable {
  /// Names the process and its outbox.
  package var holder: String
  /// When it ends.
  package var until: Date
  /// How long it was when it was taken: one that lasts longer was taken by a clock that was set back.
  package var length: Duration

  /// Makes a lease.
  package init(holder: String, until: Date, length: Duration) {
    self.holder = holder
    self.until = until
    self.length = length
  }
}
