/// The entries of one model type, whichever it is.
package protocol OutboxChannel: AnyObject, Sendable {
  associatedtype Model: Sendable

  /// The channel, with its model type.
  var typed: ModelChannel<Model> { get }
  var model: String { get }
  var outbox: Outbox? { get }
  var repository: any OutboxStore<Model> { get }
  var store: ObjectIdentifier { get }
  var queue: String { get }
  var service: String { get }
  var hasRemote: Bool { get }

  /// Sends an entry, and saves the result.
  func send(_ item: OutboxMachine.Item) async -> OutboxMachine.Ending

  /// Prepares an entry to be sent with others of its unit.
  func prepare(_ item: OutboxMachine.Item) async throws -> UnitPreparation
}

extension OutboxChannel {
  /// Replaces this channel, if its repository's entries are in another store by now.
  func rewire() { if repository.storeIdentity != store { outbox?.rewire(typed.proxy) } }

  /// Runs `body` in one transaction of the store.
  func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxTransaction) throws -> Value
  ) async throws -> Value {
    try await repository.transact(isShort: false) { try body($0) }
  }

  /// Runs `body` on one state of the store.
  func look<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxEntries) throws -> Value
  ) async throws -> Value {
    try await repository.look(isShort: false) { try body($0.entries) }
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    repository.observeQueue(handler)
  }

  func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    typed.proxy.wiring.remote?.role((any SharedService).self)?.observeCredential(handler)
      ?? Evocation.Observation {}
  }
}
