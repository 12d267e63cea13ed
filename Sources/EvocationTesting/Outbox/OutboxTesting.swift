public import Evocation
public import Foundation

/// Puts the outbox of a model type into a state; use it as `evocation.outbox.testing`.
///
/// What is put there lies in the local repository as the app's own writes do, and is sent as they are: so a
/// test of a screen switches sending off (`sendsAutomatically: false`), or has no connection.
public struct OutboxTesting: Sendable {
  let outbox: Outbox

  /// Puts these entries into the outbox of a model type in place of those that are there.
  ///
  /// Local gets the models too, as it has them after the writes; nothing else of it changes.
  ///
  /// ```swift
  /// try await evocation.outbox.testing.initState(of: Car.self) {
  ///   $0.pending(car)
  ///   $0.parked(other, reason: "The service refused the year.")
  /// }
  /// ```
  ///
  /// - Throws: `EvocationError` for a model type without an outbox; what the local repository throws.
  public func initState<Model: Sendable>(
    of type: Model.Type, _ state: (inout InitialOutboxState<Model>) -> Void
  ) async throws {
    var initial = InitialOutboxState<Model>()
    state(&initial)
    let (repository, note) = try outbox.place(of: type)
    try await repository.transact(isShort: false) { [initial] transaction in
      try initial.put(in: transaction, note)
    }
  }
}

extension Outbox {
  /// Puts the outbox into a state before a test begins.
  public var testing: OutboxTesting { OutboxTesting(outbox: self) }
}

/// What lies in the outbox of a model type before the test begins, the oldest first.
public struct InitialOutboxState<Model: Sendable>: Sendable {
  private struct Written: Sendable {
    let model: Model
    let base: Model?
    let kind: Outbox.EntryKind
    let state: Outbox.EntryState
    let queuedAt: Date?
    let attempts: Int
  }

  private var writes: [Written] = []

  /// A write that is sent by itself.
  ///
  /// - Parameters:
  ///   - model: The model as the app wrote it.
  ///   - kind: What is done to it; without one, an update where there is a base, else a store.
  ///   - base: The model as the remote has it.
  ///   - queuedAt: When it was written; now unless said.
  public mutating func pending(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil
  ) {
    add(model, kind, base, .pending, queuedAt, attempts: 0)
  }

  /// A write that has failed, and is sent again at a time.
  public mutating func waiting(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil,
    until date: Date, reason: String
  ) {
    add(model, kind, base, .waiting(until: date, reason: reason), queuedAt, attempts: 1)
  }

  /// A write that is not sent again by itself.
  ///
  /// - Parameters:
  ///   - model: The model as the app wrote it.
  ///   - kind: What is done to it; without one, an update where there is a base, else a store.
  ///   - base: The model as the remote has it.
  ///   - queuedAt: When it was written; now unless said.
  ///   - failure: What the failure meant.
  ///   - reason: The sentence that is shown.
  public mutating func parked(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil,
    failure: FailureKind = .permanent, reason: String
  ) {
    add(model, kind, base, .parked(failure, reason: reason), queuedAt, attempts: 1)
  }

  private mutating func add(
    _ model: Model, _ kind: Outbox.EntryKind?, _ base: Model?, _ state: Outbox.EntryState,
    _ queuedAt: Date?, attempts: Int
  ) {
    writes.append(
      Written(
        model: model, base: base, kind: kind ?? (base == nil ? .store : .update), state: state,
        queuedAt: queuedAt, attempts: attempts))
  }

  func put(
    in transaction: any OutboxTransaction<Model>, _ note: OutboxNote<Model>
  ) throws {
    while true {
      let records = try transaction.records(after: .min, limit: 500)
      if records.isEmpty { break }
      for record in records { try transaction.delete(record.position) }
    }
    for write in writes {
      let held = try transaction.held(write.model)
      if write.kind != .remove {
        try transaction.put(write.model, before: held)
      } else if let held {
        try transaction.remove(held)
      }
      try transaction.append(
        Outbox.Entry(
          id: UUID().uuidString, kind: write.kind, model: write.model, base: write.base,
          queuedAt: write.queuedAt ?? note.queuedAt, attempts: write.attempts, state: write.state,
          wasAttempted: write.attempts > 0, references: note.references?(write.model) ?? []))
    }
  }
}
