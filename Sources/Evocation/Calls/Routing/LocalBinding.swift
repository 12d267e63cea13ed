import Foundation
import Synchronization

/// A local repository from its registration to its replacement.
///
/// It knows which store that is, what the store can do, and which of the ledger's records describe it:
/// none that is older than the registration, unless the store has a name.
package final class LocalBinding<Model: Sendable>: Sendable {
  package let store: StoreID
  /// The store's name in a record; nil if it has none, or the ledger is in the store.
  package let recordedName: String?
  /// The same repository, if it saves a write in one transaction.
  package let transactional: (any TransactionalRepository<Model>)?
  /// The same repository, if its commits may contain entries of the outbox.
  package let outbox: (any OutboxStore<Model>)?
  /// Whether its entries survive the end of the process.
  let keepsEntries: Bool
  /// Whether writes are or were queued, though no rule of the strategy queues them.
  let usesOutbox: Atomic<Bool>
  package let lists: ListWindows<Model>
  /// Whether the service's changes arrive in it automatically.
  package let live = LiveStatus()
  private let hasLedger: Bool
  /// The known fetches into it.
  let fetches = Lock<KnownFetches?>(nil)
  /// When a store without a name replaced another; it has nothing that was fetched before.
  private let replacedAt: Date?
  /// Retained, so that no other object can have its identity.
  private let local: (any Repository<Model>)?

  init(
    _ local: (any Repository<Model>)?, after former: LocalBinding? = nil,
    at date: @autoclosure () -> Date = .distantPast
  ) {
    self.local = local
    let lists = ListWindows<Model>()
    self.lists = lists
    outbox = local?.role()
    transactional = outbox ?? local?.role()
    keepsEntries = outbox?.keepsEntries == true
    usesOutbox = Atomic(outbox?.heldEntries ?? false)
    let name = local?.storeName
    hasLedger = transactional?.fetchLedger != nil
    recordedName = hasLedger ? nil : name
    store =
      if let name {
        .named(ByteText(name))
      } else if let local, type(of: local) is AnyClass {
        .object(ObjectIdentifier(local as AnyObject))
      } else {
        .object(ObjectIdentifier(lists))
      }
    let former = former.flatMap { $0.local == nil ? nil : $0 }
    replacedAt = former?.store == store ? former?.replacedAt : former.map { _ in date() }
  }

  /// Returns whether this store has the models of a record, as far as is known.
  @Sendable package func holds(_ record: FetchRecord) -> Bool {
    if hasLedger { return true }
    if let recordedName { return record.store.map { $0.hasSameBytes(as: recordedName) } ?? false }
    return replacedAt.map { record.fetchedAt > $0 } ?? true
  }

  /// Returns when this store received the fetch of a record; nil if that is not known.
  func date(of record: FetchRecord?, mirroring: Bool, answeredAt now: Date) -> Date? {
    guard let record, record.age(at: now) != nil, !record.isCleared, holds(record) else {
      return nil
    }
    return record.date(mirroring: mirroring)
  }

  /// Whether a record can keep a change token.
  package var keepsMarks: Bool { hasLedger || recordedName != nil }

  /// Returns the change token of a record, if it is certain to describe this store.
  ///
  /// A separate ledger may have outlived the models that a store without a name had when the token
  /// was written.
  package func mark(of record: FetchRecord) -> String? {
    hasLedger || recordedName != nil && holds(record) ? record.mark : nil
  }
}
