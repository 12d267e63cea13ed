import Evocation

/// A device's store as one of its processes reaches it, until that process is killed.
///
/// It shows each state to the check, fills the disk now and then, and ends the process right after a
/// commit, before anyone learns of it.
final class WatchedStore: OutboxRepository {
  let base: InMemoryRepository<Note>
  let process: AppProcess

  init(_ process: AppProcess) {
    self.process = process
    base = process.device.store
  }

  private func begin(writes: Bool) throws {
    guard process.isAlive else { throw StoreError.processEnded }
    if writes, process.device.world.fillsDisk() { throw StoreError.diskFull }
  }

  private func end() async throws {
    let rows = try await base.find(Criteria()).value
    let (entries, isHeld) = try await base.look(isShort: false) { transaction in
      (
        try transaction.records(after: .min, limit: .max).compactMap(\.entry),
        try transaction.entries.isHeld
      )
    }
    if isHeld { process.device.heldAt = process.device.world.step }
    process.device.isHeld = isHeld
    process.device.world.check.sees(rows, entries, on: process.device)
    if process.device.world.killsInCommit() { process.kill() }
    guard process.isAlive else { throw StoreError.processEnded }
  }

  var queueName: String { base.queueName }
  var storeIdentity: ObjectIdentifier { base.storeIdentity }
  var keepsEntries: Bool { true }
  var fetchLedger: (any FetchLedger)? { nil }

  func transact<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Note>) throws -> Value
  ) async throws -> Value {
    try begin(writes: true)
    let value = try await base.transact(isShort: isShort, body)
    try await end()
    return value
  }

  func look<Value: Sendable>(
    isShort: Bool,
    _ body: @escaping @Sendable (any OutboxTransaction<Note>) throws -> Value
  ) async throws -> Value {
    try begin(writes: false)
    return try await base.look(isShort: isShort, body)
  }

  func commit(_ write: StoreWrite<Note>) async throws -> StoreCommit<Note> {
    try begin(writes: true)
    let commit = try await base.commit(write)
    try await end()
    return commit
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    base.observeQueue { [weak process] in if process?.isAlive == true { handler() } }
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Note>) -> Void
  ) -> Evocation.Observation {
    base.observeChanges(handler)
  }

  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Note> {
    try begin(writes: false)
    return try await base.snapshot(criteria)
  }

  func find(_ criteria: Criteria) async throws -> Response<[Note]> {
    try begin(writes: false)
    return try await base.find(criteria)
  }

  func store(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await commit(StoreWrite([.store(notes)])).answers[0])
  }
  func update(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await commit(StoreWrite([.update(notes)])).answers[0])
  }
  func storeOrUpdate(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await commit(StoreWrite([.storeOrUpdate(notes)])).answers[0])
  }
  func remove(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await commit(StoreWrite([.remove(notes)])).answers[0])
  }
}
