package import Evocation
package import EvocationTesting
import Foundation

/// A local repository that counts what the outbox asks of it, and whose transactions may return late.
///
/// Whoever a commit wakes is so ahead of the code that made it.
package final class WatchedOutbox<Model: Sendable>: OutboxStore {
  private let base: any OutboxStore<Model>
  /// What each transaction waits for once it is committed.
  package let gate = Lock<Gate?>(nil)
  /// The number of transactions, of questions about entries, and of the rows of their answers.
  package let work = Lock(0)

  package init(_ base: any OutboxStore<Model>) { self.base = base }

  private func committed<Value>(_ value: Value) async throws -> Value {
    try await gate.withLock { $0 }?.pass()
    return value
  }

  package var queueName: String { base.queueName }
  package var storeIdentity: ObjectIdentifier { base.storeIdentity }
  package var keepsEntries: Bool { base.keepsEntries }
  package var fetchLedger: (any FetchLedger)? { base.fetchLedger }

  package func transact<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try await committed(
      base.transact(isShort: isShort) { [work] in try body(Watched(base: $0, work: work)) })
  }

  package func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try await committed(base.queue(kind, models, note: note))
  }

  package func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    try await committed(base.commit(write))
  }

  package func look<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try await base.look(isShort: isShort) { [work] in try body(Watched(base: $0, work: work)) }
  }

  package func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    base.observeQueue(handler)
  }

  package func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges(handler)
  }

  package func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await base.find(criteria)
  }
  package func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await committed(base.store(models))
  }
  package func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await committed(base.update(models))
  }
  package func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await committed(base.storeOrUpdate(models))
  }
  package func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await committed(base.remove(models))
  }
}

/// A transaction of it.
private struct Watched<Model: Sendable>: ForwardingTransaction {
  let base: any OutboxTransaction<Model>
  let work: Lock<Int>

  init(base: any OutboxTransaction<Model>, work: Lock<Int>) {
    (self.base, self.work) = (base, work)
    work.withLock { $0 += 1 }
  }

  var entries: any OutboxEntries { WatchedEntries(base: base.entries, work: work) }

  func records(of key: String) throws -> [OutboxRecord<Model>] {
    let records = try base.records(of: key)
    work.withLock { $0 += 1 + records.count }
    return records
  }

  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? { base.transaction(for: repository) }
}

private struct WatchedEntries: ForwardingEntries {
  let base: any OutboxEntries
  let work: Lock<Int>

  private func counted(_ rows: [OutboxRow]) -> [OutboxRow] {
    work.withLock { $0 += 1 + rows.count }
    return rows
  }

  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow] {
    try counted(base.pending(within: positions, limit: limit, isUtility: isUtility))
  }
  func due(by date: Date, limit: Int) throws -> [OutboxRow] {
    try counted(base.due(by: date, limit: limit))
  }
  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow] {
    try counted(base.rows(of: queue, after: position, limit: limit))
  }
  func rows(of instance: Outbox.Reference, from position: Int64) throws -> [OutboxRow] {
    try counted(base.rows(of: instance, from: position))
  }
  func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow] {
    try counted(base.rows(ofUnit: unit, limit: limit))
  }
  func row(from position: Int64) throws -> OutboxRow? {
    try base.row(from: position).map { counted([$0])[0] }
  }
  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>? {
    _ = counted([])
    return try base.ends(of: instance)
  }
}
