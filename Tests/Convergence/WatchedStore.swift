import Evocation
import TestSupport

/// A device's store as one of its processes reaches it, until that process is killed.
///
/// It shows each state to the check, fills the disk now and then, and ends the process right after a
/// commit, before anyone learns of it.
final class WatchedStore<Model: AppModel>: OutboxStore {
  let base: any OutboxStore<Model>
  let process: AppProcess

  init(_ base: any OutboxStore<Model>, _ process: AppProcess) {
    (self.base, self.process) = (base, process)
  }

  private func begin(writes: Bool) throws {
    guard process.isAlive else { throw StoreError.processEnded }
    if writes, process.device.world.fillsDisk() { throw StoreError.diskFull }
  }

  /// Shows what the store has after a commit, which was one of the app's writes or none.
  private func end(by write: Int? = nil) async throws {
    try await process.device.look(through: process, by: write)
    if process.device.world.killsInCommit() { process.kill() }
    guard process.isAlive else { throw StoreError.processEnded }
  }

  var queueName: String { base.queueName }
  var storeIdentity: ObjectIdentifier { base.storeIdentity }
  var keepsEntries: Bool { true }
  var heldEntries: Bool { base.heldEntries }
  var fetchLedger: (any FetchLedger)? { nil }

  func shares(with other: any OutboxStore) -> Bool {
    guard let other = other as? any Watched else { return false }
    return base.shares(with: other.anyBase)
  }

  func queue(
    _ kind: Outbox.EntryKind, _ models: [Model], note: OutboxNote<Model>
  ) async throws -> QueuedWrite<Model> {
    try begin(writes: true)
    let write = World.write
    let queued = try await StoreThread.value { [base] in
      try await base.queue(kind, models, note: note)
    }
    try await end(by: write)
    return queued
  }

  func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try begin(writes: true)
    let value = try await StoreThread.value { [base] in
      try await base.transact(isShort: isShort) { try body(WatchedTransaction(base: $0)) }
    }
    try await end()
    return value
  }

  func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Model>) throws -> Value
  ) async throws -> Value {
    try begin(writes: false)
    return try await StoreThread.value { [base] in
      try await base.look(isShort: isShort) { try body(WatchedTransaction(base: $0)) }
    }
  }

  func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    try begin(writes: true)
    let number = write.outbox == nil ? nil : World.write
    let commit = try await StoreThread.value { [base] in try await base.commit(write) }
    try await end(by: number)
    return commit
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    base.observeQueue { [weak process] in if process?.isAlive == true { handler() } }
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges(handler)
  }

  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    try begin(writes: false)
    return try await StoreThread.value { [base] in try await base.snapshot(criteria) }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try begin(writes: false)
    return try await StoreThread.value { [base] in try await base.find(criteria) }
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try await commit(StoreWrite([.store(models)])).answers[0])
  }
  func update(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try await commit(StoreWrite([.update(models)])).answers[0])
  }
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try await commit(StoreWrite([.storeOrUpdate(models)])).answers[0])
  }
  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try await commit(StoreWrite([.remove(models)])).answers[0])
  }
}

/// A watched store of any model type.
private protocol Watched {
  var anyBase: any OutboxStore { get }
}

extension WatchedStore: Watched {
  fileprivate var anyBase: any OutboxStore { base }
}

/// A transaction that finds that of the other model type by its watched store.
private struct WatchedTransaction<Model: AppModel>: ForwardingTransaction {
  let base: any OutboxTransaction<Model>

  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    guard let base = (repository as? any Watched)?.anyBase as? any OutboxStore<Other> else {
      return nil
    }
    return self.base.transaction(for: base)
  }
}
