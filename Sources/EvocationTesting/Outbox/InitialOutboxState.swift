public import Evocation
public import Foundation

extension Outbox {
  /// Puts the outbox of a model type into a state before a test begins.
  ///
  /// The outbox sends these writes as it sends your app's. To test a screen, turn automatic sending
  /// off (`sendsAutomatically: false`), or pass a ``ManualConnectivity`` that is offline.
  public var testing: StateTesting<Outbox> { StateTesting(self) }
}

extension StateTesting where Subject == Outbox {
  /// Replaces the entries in the outbox of a model type.
  ///
  /// The local repository gets the models as they are after the writes. Its other models stay.
  ///
  /// ```swift
  /// try await evocation.outbox.testing.initState(of: Car.self) {
  ///   $0.pending(car)
  ///   $0.parked(other, reason: "The service refused the year.")
  /// }
  /// ```
  ///
  /// - Throws: `EvocationError` for a model type without an outbox, and errors of the local
  ///   repository.
  public func initState<Model: Sendable>(
    of type: Model.Type, _ state: (inout InitialOutboxState<Model>) -> Void
  ) async throws {
    var initial = InitialOutboxState<Model>()
    state(&initial)
    let (repository, note) = try subject.place(of: type)
    try await repository.transact(isShort: false) { [initial] transaction in
      try initial.put(in: transaction, note)
    }
  }
}

/// The entries of an outbox with which a test begins, the oldest first.
///
/// ```swift
/// try await evocation.outbox.testing.initState(of: Car.self) {
///   $0.pending(car)
///   $0.parked(other, reason: "The service refused the year.")
/// }
/// ```
public struct InitialOutboxState<Model: Sendable>: Sendable {
  private var writes: [@Sendable (OutboxNote<Model>) -> Outbox.Entry<Model>] = []

  /// Adds a write that the outbox sends automatically.
  ///
  /// - Parameters:
  ///   - model: The model as your app wrote it.
  ///   - kind: The kind of the write. By default an update if you pass a base, and else a store.
  ///   - base: The model as the remote repository has it.
  ///   - queuedAt: The date of the write; now by default.
  public mutating func pending(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil
  ) {
    add(model, kind, base: base, state: .pending, queuedAt: queuedAt, attempts: 0)
  }

  /// Adds a write that has failed, and that the outbox sends again at a date.
  public mutating func waiting(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil,
    until date: Date, reason: String
  ) {
    add(
      model, kind, base: base, state: .waiting(until: date, reason: reason), queuedAt: queuedAt,
      attempts: 1)
  }

  /// Adds a parked write: it failed for good, and waits for your app.
  ///
  /// `failure` is the kind of the failure, and `reason` the sentence for the developer. `message` and
  /// `fields` are what the service said, as a form shows it.
  public mutating func parked(
    _ model: Model, kind: Outbox.EntryKind? = nil, base: Model? = nil, queuedAt: Date? = nil,
    failure: FailureKind = .permanent, reason: String, message: String? = nil,
    fields: [String: [String]] = [:]
  ) {
    let failure = Outbox.Failure(kind: failure, reason: reason, message: message, fields: fields)
    add(
      model, kind, base: base, state: .parked(failure.kind, reason: reason), queuedAt: queuedAt,
      attempts: 1, words: failure.words)
  }

  private mutating func add(
    _ model: Model, _ kind: Outbox.EntryKind?, base: Model?, state: Outbox.EntryState,
    queuedAt: Date?, attempts: Int, words: ServiceWords? = nil
  ) {
    writes.append { note in
      var entry = Outbox.Entry(
        id: UUID().uuidString, kind: kind ?? (base == nil ? .store : .update), model: model,
        base: base, queuedAt: queuedAt ?? note.queuedAt, attempts: attempts, state: state,
        wasAttempted: attempts > 0, references: note.references?(model) ?? [])
      entry.words = words
      return entry
    }
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
      let entry = write(note)
      let held = try transaction.held(entry.model)
      if entry.kind != .remove {
        try transaction.put(entry.model, before: held)
      } else if let held {
        try transaction.remove(held)
      }
      try transaction.append(entry)
    }
  }
}
