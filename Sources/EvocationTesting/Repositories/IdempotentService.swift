public import Evocation

/// A service in memory that carries out each write once, however often it is sent.
///
/// ```swift
/// let service = IdempotentService<Car>()
/// let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
/// ```
///
/// A write with an `IdempotencyKey` that it has seen is answered as it was at first, and not carried out
/// again. Every write is noted in ``requests``, one for each model, so that a test can say that nothing
/// was done twice and nothing out of order. Safe to use from any thread.
public final class IdempotentService<Model: Codable & Identifiable & Sendable>: Repository
where Model.ID: Sendable {
  /// One write of one model, as it arrived.
  public struct Request: Sendable {
    /// What became of a request.
    public enum Effect: String, Sendable, Hashable {
      /// It was carried out.
      case acted
      /// It had been carried out before, and was answered as then.
      case repeated
      /// It was refused, and nothing was done.
      case refused
    }

    /// The key that it was sent with; nil for none.
    public let key: String?
    /// What it asked for.
    public let kind: Outbox.EntryKind
    /// The model that it was about.
    public let id: Model.ID
    /// What became of it.
    public let effect: Effect
  }

  /// What the service has.
  public let models: InMemoryRepository<Model>

  private struct State {
    var requests: [Request] = []
    var answers: [String: [Model]] = [:]
  }

  private let state = Lock(State())
  private let turns = Turns()

  /// Makes a service that has these models.
  public init(_ models: [Model] = []) {
    self.models = InMemoryRepository(models)
  }

  /// All writes so far, in the order in which they were carried out or answered.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// The writes that had an effect on a model, in order.
  public func effects(on id: Model.ID) -> [Request] {
    requests.filter { $0.id == id && $0.effect == .acted }
  }

  /// Reads what the service has.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await models.find(criteria)
  }

  /// Adds models, unless the key was seen.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.store, models) { try await $0.store(models) }
  }

  /// Changes models, unless the key was seen.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.update, models) { try await $0.update(models) }
  }

  /// Adds or changes models, unless the key was seen.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.storeOrUpdate, models) { try await $0.storeOrUpdate(models) }
  }

  /// Removes models, unless the key was seen.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.remove, models) { try await $0.remove(models) }
  }

  /// Carries out one write at a time, so that the same key is never at work twice.
  private func write(
    _ kind: Outbox.EntryKind, _ written: [Model],
    _ act: @Sendable (InMemoryRepository<Model>) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let key = IdempotencyKey.current
    let turn = await turns.take()
    defer { turn.end() }
    if let key, let answer = state.withLock({ $0.answers[key] }) {
      note(kind, written, key, .repeated)
      return Response(answer)
    }
    do {
      let answer = try await act(models)
      if let key { state.withLock { $0.answers[key] = answer.value } }
      note(kind, written, key, .acted)
      return answer
    } catch {
      note(kind, written, key, .refused)
      throw error
    }
  }

  private func note(
    _ kind: Outbox.EntryKind, _ models: [Model], _ key: String?, _ effect: Request.Effect
  ) {
    let requests = models.map { Request(key: key, kind: kind, id: $0.id, effect: effect) }
    state.withLock { $0.requests += requests }
  }
}

extension IdempotentService.Request: CustomStringConvertible {
  /// The kind, the id and what became of it, such as "store 1 acted".
  public var description: String { "\(kind.rawValue) \(id) \(effect.rawValue)" }
}

/// Lets one after another through, in the order in which they came.
private final class Turns: Sendable {
  private let last = Lock<Promise<Void>?>(nil)

  /// A turn, which has to be ended.
  struct Turn: Sendable {
    fileprivate let isOver: Promise<Void>

    func end() { isOver.fulfil() }
  }

  func take() async -> Turn {
    let turn = Turn(isOver: Promise())
    let before = last.withLock { last in
      defer { last = turn.isOver }
      return last
    }
    await before?.value
    return turn
  }
}
