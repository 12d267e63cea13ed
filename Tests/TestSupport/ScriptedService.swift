package import Evocation
package import EvocationTesting

/// A service in memory that notes each write as it arrives, and then does what a test's script says.
///
/// It compares nothing by itself: versions, refusals and repeated answers are a script's, or switched
/// on. A read can be held once it was answered: a `find` or a `count` apart from a `findOne`, by which
/// an outbox asks too.
package final class ScriptedService<Model: Codable & Identifiable & Sendable>: Repository,
  SharedService
where Model.ID: Sendable {
  /// One write of one model, as it arrived.
  package struct Request: Sendable {
    package let kind: Outbox.EntryKind
    package let model: Model
    package let key: String?
    /// What the client says that the model was.
    package let base: Model?
    /// The number of the request, from one.
    package let number: Int
  }

  /// Answers in the service's place, or refuses; nil to have the write carried out.
  package typealias Script =
    @Sendable (Request, InMemoryRepository<Model>) async throws -> Model?

  private typealias Outcome = Result<Response<[Model]>, any Error>

  private struct State {
    var requests: [Request] = []
    var outcomes: [String: Outcome] = [:]
  }

  package let models: InMemoryRepository<Model>
  package let service: String
  package let identifierKey: Criteria.Key
  /// What each `find` waits for once it was answered.
  package let reads = Lock<Gate?>(nil)
  /// What each `findOne` waits for once it was answered.
  package let singleReads = Lock<Gate?>(nil)
  private let habits: ServiceHabits
  private let script: Script
  private let state = Lock(State())

  package init(
    _ models: [Model] = [], service: String = "service", identifierKey: Criteria.Key = "id",
    habits: ServiceHabits = [], script: @escaping Script = { _, _ in nil }
  ) {
    self.models = InMemoryRepository(models)
    self.service = service
    self.identifierKey = identifierKey
    self.habits = habits
    self.script = script
  }

  /// The writes so far, as they arrived.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// What the service has.
  package var all: [Model] {
    get async throws { try await models.find(Criteria()).value }
  }

  package func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    let answer = try await models.find(criteria)
    try await reads.withLock { $0 }?.pass()
    return answer
  }

  package func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    let answer = try await models.findOne(criteria)
    try await singleReads.withLock { $0 }?.pass()
    return answer
  }

  package func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await each(.store, models) { try await $0.store([$1]) }
  }

  package func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await each(.update, models) { try await $0.update([$1]) }
  }

  package func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await each(.storeOrUpdate, models) { try await $0.storeOrUpdate([$1]) }
  }

  package func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await each(.remove, models) { try await $0.remove([$1]) }
  }

  private func each(
    _ kind: Outbox.EntryKind, _ models: [Model],
    _ act: @escaping @Sendable (InMemoryRepository<Model>, Model) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    var answers: [Model] = []
    for model in models { answers += try await receive(kind, model, act).value }
    return Response(answers)
  }

  private func receive(
    _ kind: Outbox.EntryKind, _ model: Model,
    _ act: @escaping @Sendable (InMemoryRepository<Model>, Model) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let (key, base) = (IdempotencyKey.current, WriteBase.current?.model as? Model)
    let (request, former) = state.withLock { state in
      let request = Request(
        kind: kind, model: model, key: key, base: base, number: state.requests.count + 1)
      state.requests.append(request)
      return (request, key.flatMap { state.outcomes[$0] })
    }
    if habits.contains(.repeatsAnswers), let former { return try former.get() }
    do {
      let answer = try await carryOut(request, act)
      if let key { state.withLock { $0.outcomes[key] = .success(answer) } }
      return answer
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // What did not reach the service, or was not answered by it, is not its answer.
      let kind = (error as? any ClassifiedError)?.failureKind
      if let key, kind == .conflict || kind == .permanent {
        state.withLock { $0.outcomes[key] = .failure(error) }
      }
      throw error
    }
  }

  private func carryOut(
    _ request: Request,
    _ act: (InMemoryRepository<Model>, Model) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    if let answer = try await script(request, models) { return Response([answer]) }
    if habits.contains(.comparesBases), let base = request.base {
      let present = try await all.first { $0.id == request.model.id }
      if let present, !codedDifferences(present, base).isEmpty {
        throw Refused(.conflict, current: present)
      }
    }
    return try await act(models, request.model)
  }
}

extension ScriptedService.Request: CustomStringConvertible {
  /// The kind and the id, such as "store 1".
  package var description: String { "\(kind.rawValue) \(model.id)" }
}

/// What a scripted service does by itself.
package struct ServiceHabits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It refuses a change of what is no longer as the client says that it was.
  package static let comparesBases = ServiceHabits(rawValue: 1)
  /// It answers a key that it has seen as it did at first, also where it refused it.
  package static let repeatsAnswers = ServiceHabits(rawValue: 2)
}
