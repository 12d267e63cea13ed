import Evocation
import Foundation
import TestSupport

@testable import CoreSupport
@testable import EvocationStores
@testable import EvocationValues

/// An app's own repository with an outbox, which does what ``OutboxRepository`` says by what it offers.
///
/// It cannot decode what has one title, as if a later version of the app had queued it.
final class OwnOutbox: ForwardingRepository, OutboxStore {
  let base = InMemoryRepository<Draft>()
  let unreadableTitle: String?
  /// Whether its entries cannot be read at present.
  let isUnreadable = Lock(false)

  let keepsEntries = true
  let fetchLedger: (any FetchLedger)? = nil

  init(unreadableTitle: String? = nil) { self.unreadableTitle = unreadableTitle }

  var queueName: String { base.queueName }
  var storeIdentity: ObjectIdentifier { ObjectIdentifier(self) }

  func transact<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Draft>) throws -> Value
  ) async throws -> Value {
    try await base.transact(isShort: isShort) { [self] in
      try body(OwnTransaction(base: $0, owner: self))
    }
  }

  func look<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Draft>) throws -> Value
  ) async throws -> Value {
    if isUnreadable.withLock({ $0 }) { throw Outage(place: .local) }
    return try await base.look(isShort: isShort) { [self] in
      try body(OwnTransaction(base: $0, owner: self))
    }
  }

  func queue(
    _ kind: Outbox.EntryKind, _ models: [Draft], note: OutboxNote<Draft>
  ) async throws -> QueuedWrite<Draft> {
    let action: StoreWrite<Draft>.Change =
      switch kind {
      case .store: .store(models)
      case .update: .update(models)
      case .storeOrUpdate: .storeOrUpdate(models)
      case .remove: .remove(models)
      }
    let commit = try await commit(StoreWrite([action], outbox: note))
    return QueuedWrite(models: commit.answers[0], entries: commit.entries)
  }

  func commit(_ write: StoreWrite<Draft>) async throws -> StoreCommit<Draft> {
    var write = write
    if let note = write.outbox {
      return try await transact(isShort: false) { [write] in try write.queue(note, in: $0) }
    }
    if write.source != .app {
      write = try await transact(isShort: false) { [write] in try write.sparingUnsent(in: $0) }
      write.source = .app
    }
    var commit = try await base.commit(write)
    commit.metadata = ["actions": write.changes.count]
    commit.gone = write.gone
    return commit
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    base.observeQueue(handler)
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Draft>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges { handler(RepositoryChange($0.extent)) }
  }
}

/// A transaction of it.
private struct OwnTransaction: ForwardingTransaction {
  let base: any OutboxTransaction<Draft>
  let owner: OwnOutbox

  func records(of key: String) throws -> [OutboxRecord<Draft>] {
    try base.records(of: key).map(decoded)
  }

  func records(
    after position: Int64, limit: Int
  ) throws -> [OutboxRecord<Draft>] {
    try base.records(after: position, limit: limit).map(decoded)
  }

  func record(at position: Int64) throws -> OutboxRecord<Draft>? {
    try base.record(at: position).map(decoded)
  }

  func park(_ entry: Outbox.UnreadableEntry) throws {
    guard var parked = try base.record(at: entry.position)?.entry else { return }
    parked.state = .parked(.permanent, reason: entry.reason)
    try base.setState(of: parked)
  }

  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    (repository as AnyObject) === owner ? self as? any OutboxTransaction<Other> : nil
  }

  private func decoded(_ record: OutboxRecord<Draft>) throws -> OutboxRecord<Draft> {
    guard let entry = record.entry, entry.model.title == owner.unreadableTitle else {
      return record
    }
    return .unreadable(
      Outbox.UnreadableEntry(
        id: entry.id, kind: entry.kind, queue: owner.queueName, queuedAt: entry.queuedAt,
        reason: "its form is newer", json: try JSONEncoder().encode(entry.model),
        position: entry.position))
  }
}
