import Evocation

/// A repository that records what it is asked, and asks another one.
struct RecordingRepository<Model: Codable & Sendable>: Repository {
  let base: any Repository<Model>
  let type: Evocation.RepositoryType
  let recorder: TraceRecorder

  private var given: GivenValues { GivenValues(hasValues: recorder.includesValues) }

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await many("find", given.criteria(criteria)) { try await base.find(criteria) }
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await one("findOne", given.criteria(criteria)) { try await base.findOne(criteria) }
  }

  func count(_ criteria: Criteria) async throws -> Int {
    try await noting("count", given.criteria(criteria)) {
      let count = try await base.count(criteria)
      return (count, .count(count))
    }
  }

  func exists(_ criteria: Criteria) async throws -> Bool {
    try await noting("exists", given.criteria(criteria)) {
      let exists = try await base.exists(criteria)
      return (exists, .count(exists ? 1 : 0))
    }
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("store", given.models(models)) { try await base.store(models) }
  }

  func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await one("storeOne", given.models([model])) { try await base.storeOne(model) }
  }

  func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("update", given.models(models)) { try await base.update(models) }
  }

  func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await one("updateOne", given.models([model])) { try await base.updateOne(model) }
  }

  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("storeOrUpdate", given.models(models)) { try await base.storeOrUpdate(models) }
  }

  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("remove", given.models(models)) { try await base.remove(models) }
  }

  func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await one("removeOne", given.models([model])) { try await base.removeOne(model) }
  }

  private func many(
    _ method: String, _ given: JSONValue, _ ask: () async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    try await noting(method, given) {
      let response = try await ask()
      return (response, answer(response.value))
    }
  }

  private func one(
    _ method: String, _ given: JSONValue, _ ask: () async throws -> Response<Model?>
  ) async throws -> Response<Model?> {
    try await noting(method, given) {
      let response = try await ask()
      return (response, answer(response.value.map { [$0] } ?? []))
    }
  }

  private func answer(_ models: [Model]) -> RecordedCall.Answer {
    guard recorder.includesValues else { return .models(count: models.count, values: nil) }
    do {
      return .models(count: models.count, values: try models.map(Self.recorded))
    } catch {
      return .failure(RecordedFailure(error, hasValues: true))
    }
  }

  /// A model as it is recorded.
  ///
  /// - Throws: ``RecordingError`` for one that could not be played back.
  private static func recorded(_ model: Model) throws -> JSONValue {
    do {
      let value = try JSONValue.encoded(model)
      _ = try value.decoded(Model.self)
      return value
    } catch {
      throw RecordingError(
        "A \(Model.self) that JSON cannot represent was returned, and not recorded: \(error)")
    }
  }

  /// Asks, and records what came of it; a cancellation is no answer.
  private func noting<Value>(
    _ method: String, _ given: JSONValue,
    _ ask: () async throws -> (Value, RecordedCall.Answer)
  ) async throws -> Value {
    func record(_ answer: RecordedCall.Answer) {
      recorder.record(
        RecordedCall(
          model: "\(Model.self)", repository: type, method: method, given: given, answer: answer))
    }
    do {
      let (value, answer) = try await ask()
      record(answer)
      return value
    } catch {
      if !(error is CancellationError) {
        record(.failure(RecordedFailure(error, hasValues: recorder.includesValues)))
      }
      throw error
    }
  }
}
