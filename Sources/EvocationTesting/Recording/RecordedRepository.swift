import Evocation
import Foundation

/// Records the answers of a repository or, without one, replays them.
struct RecordedRepository<Model: Codable & Sendable>: Repository {
  /// The repository that answers; nil for a replay.
  let base: (any Repository<Model>)?
  let recording: Recording

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await many("find", criteria) { try await $0.find(criteria) }
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await one("findOne", criteria) { try await $0.findOne(criteria) }
  }

  func count(_ criteria: Criteria) async throws -> Int {
    try await number("count", criteria) { try await $0.count(criteria) }
  }

  func exists(_ criteria: Criteria) async throws -> Bool {
    try await number("exists", criteria) { try await $0.exists(criteria) ? 1 : 0 } > 0
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("store", models) { try await $0.store(models) }
  }

  func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await one("storeOne", [model]) { try await $0.storeOne(model) }
  }

  func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("update", models) { try await $0.update(models) }
  }

  func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await one("updateOne", [model]) { try await $0.updateOne(model) }
  }

  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("storeOrUpdate", models) { try await $0.storeOrUpdate(models) }
  }

  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await many("remove", models) { try await $0.remove(models) }
  }

  func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await one("removeOne", [model]) { try await $0.removeOne(model) }
  }

  private func many(
    _ method: String, _ given: some Encodable,
    _ ask: (any Repository<Model>) async throws -> Response<[Model]>
  ) async throws -> Response<[Model]> {
    let question = question(method, given)
    guard let base else { return Response(try models(question)) }
    return try await recorded(question, { answer($0.value) }) { try await ask(base) }
  }

  private func one(
    _ method: String, _ given: some Encodable,
    _ ask: (any Repository<Model>) async throws -> Response<Model?>
  ) async throws -> Response<Model?> {
    try await many(method, given) { try await ask($0).map { $0.map { [$0] } ?? [] } }.first
  }

  private func number(
    _ method: String, _ given: some Encodable,
    _ ask: (any Repository<Model>) async throws -> Int
  ) async throws -> Int {
    let question = question(method, given)
    if let base { return try await recorded(question, { .count($0) }) { try await ask(base) } }
    switch try recording.answer(question) {
    case .count(let count): return count
    case .models(let json): return try decoded(json).count
    case .failure(let failure): throw failure
    }
  }

  private func question(_ method: String, _ given: some Encodable) -> RecordedCall.Question {
    let json = (try? RecordedJSON.encoded(given)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return RecordedCall.Question(
      model: "\(Model.self)", method: method,
      given: ByteText(json))
  }

  /// Asks, and records the answer.
  ///
  /// A canceled call has none.
  private func recorded<Value>(
    _ question: RecordedCall.Question, _ answer: (Value) -> RecordedCall.Answer,
    _ ask: () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await ask()
      recording.record(question, answer(value))
      return value
    } catch {
      if !(error is CancellationError) {
        recording.record(question, .failure(RecordedFailure(error)))
      }
      throw error
    }
  }

  /// The models as an answer, or the failure that a replay throws for models that JSON cannot hold.
  private func answer(_ models: [Model]) -> RecordedCall.Answer {
    do {
      let json = try RecordedJSON.encoded(models)
      _ = try RecordedJSON.decoded([Model].self, from: json)
      return .models(String(decoding: json, as: UTF8.self))
    } catch {
      let sentence =
        "A \(Model.self) was answered that JSON cannot hold, so that it was not recorded: \(error)"
      return .failure(RecordedFailure(RecordingError(sentence)))
    }
  }

  private func models(_ question: RecordedCall.Question) throws -> [Model] {
    switch try recording.answer(question) {
    case .models(let json): return try decoded(json)
    case .count(let count):
      throw RecordingError("A count of \(count) was recorded where models are asked for.")
    case .failure(let failure): throw failure
    }
  }

  private func decoded(_ json: String) throws -> [Model] {
    try RecordedJSON.decoded([Model].self, from: Data(json.utf8))
  }
}
