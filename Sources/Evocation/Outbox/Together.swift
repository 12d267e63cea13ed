import Foundation

/// The writes of one unit, which Evocation saves and sends as a whole.
///
/// `Evocation.together(_:)` passes it to its closure. Its methods have the names of those of
/// `Evocation`. Each adds a write, and Evocation performs all of them when the closure has
/// returned.
///
/// ```swift
/// let delivery = try await evocation.together { writes in
///   try await writes.updateOne(note)
///   try await writes.storeOne(Remark(noteID: note.id, text: "b"))
/// }
/// ```
public struct Together: Sendable, PlainlyPrinted {
  let unit: WriteUnit

  /// Adds models, as `Evocation.store(_:rule:)` does.
  ///
  /// - Throws: ``EvocationError/proxyNotFound(model:)``;
  ///   ``EvocationError/outboxUnavailable(model:action:)`` if the local repository keeps no
  ///   entries; ``EvocationError/separateStores(model:other:)`` if it keeps them in another store
  ///   than the writes before; ``EvocationError/unitEnded(model:)`` after the closure has returned.
  ///   The other methods throw the same errors.
  public func store<Model: Sendable>(_ models: [Model]) async throws {
    try unit.add(.store, models, action: .store)
  }

  /// Adds a model, as `Evocation.storeOne(_:rule:)` does.
  public func storeOne<Model: Sendable>(_ model: Model) async throws {
    try unit.add(.store, [model], action: .storeOne)
  }

  /// Changes those models that the local store has, as `Evocation.update(_:rule:)` does.
  public func update<Model: Sendable>(_ models: [Model]) async throws {
    try unit.add(.update, models, action: .update)
  }

  /// Changes a model, if the local store has it, as `Evocation.updateOne(_:rule:)` does.
  public func updateOne<Model: Sendable>(_ model: Model) async throws {
    try unit.add(.update, [model], action: .updateOne)
  }

  /// Adds or changes models, as `Evocation.storeOrUpdate(_:rule:)` does.
  public func storeOrUpdate<Model: Sendable>(_ models: [Model]) async throws {
    try unit.add(.storeOrUpdate, models, action: .store)
  }

  /// Removes models, as `Evocation.remove(_:rule:)` does.
  public func remove<Model: Sendable>(_ models: [Model]) async throws {
    try unit.add(.remove, models, action: .remove)
  }

  /// Removes a model, as `Evocation.removeOne(_:rule:)` does.
  public func removeOne<Model: Sendable>(_ model: Model) async throws {
    try unit.add(.remove, [model], action: .removeOne)
  }
}

/// The writes of a unit, until they are saved.
final class WriteUnit: Sendable {
  private struct State {
    var writes: [any UnitMember] = []
    var hasEnded = false
  }

  private let outbox: Outbox
  private let state = Lock(State())

  init(_ outbox: Outbox) {
    self.outbox = outbox
  }

  func add<Model: Sendable>(
    _ kind: Outbox.EntryKind, _ models: [Model], action: Strategy.Action
  ) throws {
    let proxy: Proxy<Model>? = outbox.registry.proxy(for: Model.self)
    guard let proxy else { throw EvocationError.proxyNotFound(model: "\(Model.self)") }
    guard let repository = proxy.wiring.binding.outbox else {
      throw EvocationError.outboxUnavailable(model: proxy.model, action: action)
    }
    let link = proxy.outboxLink.state.withLock { $0 }
    if let refusal = link.refusal ?? link.separation { throw refusal }
    let write = UnitWrite(
      proxy: proxy, repository: repository, kind: kind, name: action.rawValue, models: models)
    let first = state.withLock(\.writes.first)
    if let first, !repository.shares(with: first.anyRepository) {
      throw EvocationError.separateStores(model: proxy.model, other: first.model)
    }
    // From now on there may be unsent entries to look for and to send, and stores may have become
    // one.
    if proxy.wiring.mayHaveUnsent {
      outbox.updateWiring(of: proxy)
    } else {
      proxy.recordQueueingRule()
    }
    try state.withLock { state in
      if state.hasEnded { throw EvocationError.unitEnded(model: proxy.model) }
      state.writes.append(write)
    }
  }

  /// Performs the writes in one transaction, when it is the turn of all of them.
  func keep() async throws -> Outbox.Delivery {
    let writes = state.withLock { state in
      state.hasEnded = true
      return state.writes
    }
    guard let first = writes.first else { return Outbox.Delivery([], outbox) }
    for write in writes where WriteScope.isInside(write.line) {
      throw EvocationError.nestedWrite(model: write.model)
    }
    let date = outbox.environment.date()
    let kept = try await WriteSerializer.run(lines(of: writes)) {
      let kept = try await first.transact { transaction in
        let unit = try transaction.entries.nextPosition
        return try writes.map { try $0.queue(in: transaction, unit, at: date) }
      }
      // Noted before the next writes have their turn.
      for write in kept { write.recordWritten() }
      return kept
    }
    for write in kept { write.tell(outbox) }
    return Outbox.Delivery(kept.flatMap(\.rows), outbox)
  }

  /// Returns the lines of the writes, each once and always in the same order.
  private func lines(of writes: [any UnitMember]) -> [WriteSerializer] {
    let lines = Dictionary(grouping: writes) { $0.tagPrefix }.sorted { $0.key < $1.key }
    return lines.compactMap { $0.value.first?.line }
  }
}

/// One write of a unit, of any model type.
private protocol UnitMember: Sendable {
  var model: String { get }
  var tagPrefix: String { get }
  var line: WriteSerializer { get }
  var anyRepository: any OutboxStore { get }

  /// Runs `body` in one transaction of the store.
  func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxTransaction) throws -> Value
  ) async throws -> Value
  /// Writes the models, and queues them for the server.
  func queue(
    in transaction: any OutboxTransaction, _ unit: Int64, at date: Date
  ) throws -> any KeptWrite
}

/// The result of one write of a unit.
private protocol KeptWrite: Sendable {
  var rows: [OutboxRow] { get }
  /// Records for reads under way what was written.
  func recordWritten()
  /// Reports the write to observers.
  func tell(_ outbox: Outbox)
}

private struct UnitWrite<Model: Sendable>: UnitMember {
  let proxy: Proxy<Model>
  let repository: any OutboxStore<Model>
  let kind: Outbox.EntryKind
  let name: String
  let models: [Model]

  var model: String { proxy.model }
  var tagPrefix: String { proxy.tagPrefix }
  var line: WriteSerializer { proxy.line }
  var anyRepository: any OutboxStore { repository }

  func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxTransaction) throws -> Value
  ) async throws -> Value {
    try await repository.transact(isShort: false) { try body($0) }
  }

  func queue(
    in transaction: any OutboxTransaction, _ unit: Int64, at date: Date
  ) throws -> any KeptWrite {
    guard let own = transaction.own(of: repository) else {
      throw EvocationError.outboxUnavailable(model: model, action: .store)
    }
    var note = proxy.outboxLink.entryNote(at: date)
    note.unit = unit
    return Kept(write: self, written: try own.queue(kind, models, note: note))
  }

  struct Kept: KeptWrite {
    let write: UnitWrite
    let written: QueuedWrite<Model>

    var rows: [OutboxRow] { written.entries }

    func recordWritten() {
      write.proxy.recordWritten(written.models)
      write.proxy.joins.recordWrite()
    }

    func tell(_ outbox: Outbox) { outbox.recordQueued(written, write.name, in: write.proxy) }
  }
}

extension OutboxTransaction {
  /// Returns this transaction for the models of a repository; nil if that has another store.
  func own<Other: Sendable>(
    of repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    self as? any OutboxTransaction<Other> ?? transaction(for: repository)
  }
}
