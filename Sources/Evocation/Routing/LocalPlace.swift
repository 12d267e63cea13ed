import Foundation
import Synchronization

/// What is kept with a local repository: which store it is, its lists, and since when it has been in
/// place.
final class LocalPlace<Model: Sendable>: Sendable {
  let store: StoreID
  /// The store's name in a record; nil where it has none, or the ledger lies in it.
  let recordedName: String?
  /// The same repository, where it takes a write whole.
  let transactional: (any TransactionalRepository<Model>)?
  /// The same repository, where its commits may carry entries of the outbox.
  let outbox: (any OutboxStore<Model>)?
  /// Whether its entries survive the end of the process.
  let keepsEntries: Bool
  /// Whether writes are queued, or were before, though no rule of the strategy says so.
  let usesOutbox: Atomic<Bool>
  let lists: ListWindows<Model>
  private let hasLedger: Bool
  /// What is known of what was fetched into it; the registry is kept, because it tells of changes.
  let fetches = Lock<(registry: CacheRegistry, known: KnownFetches)?>(nil)
  /// When one without a name took the place of another; what was fetched before is not in it.
  private let replacedAt: Date?
  /// Kept, because as long as it is there no other object has its identity.
  private let local: (any Repository<Model>)?

  init(
    _ local: (any Repository<Model>)?, after former: LocalPlace? = nil,
    at date: @autoclosure () -> Date = .distantPast
  ) {
    self.local = local
    let lists = ListWindows<Model>()
    self.lists = lists
    transactional = local as? any TransactionalRepository<Model>
    outbox = local as? any OutboxStore<Model>
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

  /// Whether what a record is of is in this store, as far as is known.
  @Sendable func holds(_ record: FetchRecord) -> Bool {
    if hasLedger { return true }
    if let recordedName { return record.store.map { $0.hasSameBytes(as: recordedName) } ?? false }
    return replacedAt.map { record.fetchedAt > $0 } ?? true
  }

  /// The mark of a record, where it is sure to say what this store has.
  ///
  /// A ledger apart may have outlived what a store without a name held when the mark was written.
  func mark(of record: FetchRecord) -> String? {
    hasLedger || recordedName != nil && holds(record) ? record.mark : nil
  }
}
