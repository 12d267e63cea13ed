public import Evocation

/// A service in memory that performs each write once, however often it arrives.
///
/// ```swift
/// let service = IdempotentService<Car>()
/// let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
/// ```
///
/// When an `IdempotencyKey` arrives again, the service returns its first answer, and does not perform
/// the write again. It records a request for each model of each write in ``requests``, so your test
/// can check that nothing happened twice or out of order. Safe to use from any thread.
public final class IdempotentService<Model: Codable & Identifiable & Sendable>: Repository
where Model.ID: Sendable {
  /// The models of the service.
  public let models: InMemoryRepository<Model>

  private struct State {
    var requests: [ServedWrite<Model.ID>] = []
    var answers: [String: [Model]] = [:]
  }

  private let state = Lock(State())
  private let turns = Turns()

  /// Creates a service that has these models.
  public init(_ models: [Model] = []) {
    self.models = InMemoryRepository(models)
  }

  /// All writes so far, in the order in which the service answered them.
  ///
  /// There is one for each model, with its kind, the model's id, and `acted`, `repeated` or
  /// `refused`: `store 1 acted`.
  public var requests: [String] { served.map { "\($0.kind.rawValue) \($0.id) \($0.effect)" } }

  /// How many writes changed a model.
  public func effects(on id: Model.ID) -> Int {
    served.count { $0.id == id && $0.effect == "acted" }
  }

  /// All writes so far, with the keys that they arrived with.
  package var served: [ServedWrite<Model.ID>] { state.withLock { $0.requests } }

  /// Reads the models of the service.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await models.find(criteria)
  }

  /// Inserts models, unless the key arrived before.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.store, models) { try await $0.store(models) }
  }

  /// Updates models, unless the key arrived before.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.update, models) { try await $0.update(models) }
  }

  /// Inserts or updates models, unless the key arrived before.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.storeOrUpdate, models) { try await $0.storeOrUpdate(models) }
  }

  /// Removes models, unless the key arrived before.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.remove, models) { try await $0.remove(models) }
  }

  /// Performs one write at a time, so that the same key never runs twice at the same time.
  private func write(
    _ kind: Outbox.EntryKind, _ written: [Model],
    _ act: @Sendable (InMemoryRepository<Model>) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let key = IdempotencyKey.current
    let turn = await turns.take()
    defer { turn.fulfil() }
    if let key, let answer = state.withLock({ $0.answers[key] }) {
      record(kind, written, key: key, effect: "repeated")
      return Response(answer)
    }
    do {
      let answer = try await act(models)
      if let key { state.withLock { $0.answers[key] = answer.value } }
      record(kind, written, key: key, effect: "acted")
      return answer
    } catch {
      record(kind, written, key: key, effect: "refused")
      throw error
    }
  }

  private func record(
    _ kind: Outbox.EntryKind, _ models: [Model], key: String?,
    effect: String
  ) {
    let requests = models.map { ServedWrite(key: key, kind: kind, id: $0.id, effect: effect) }
    state.withLock { $0.requests += requests }
  }
}

/// A write of one model, as it arrived.
package struct ServedWrite<ID: Sendable>: Sendable {
  package let key: String?
  let kind: Outbox.EntryKind
  let id: ID
  let effect: String
}

/// Lets one after another through, in the order in which they came.
private final class Turns: Sendable {
  private let last = Lock<Promise<Void>?>(nil)

  /// Waits for a turn, which the caller has to fulfil at its end.
  func take() async -> Promise<Void> {
    let turn = Promise<Void>()
    let before = last.withLock { last in
      defer { last = turn }
      return last
    }
    await before?.value
    return turn
  }
}
