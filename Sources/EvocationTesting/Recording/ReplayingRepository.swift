import Evocation

/// A repository that answers what was recorded.
struct ReplayingRepository<Model: Codable & Sendable>: Repository {
  let type: Evocation.RepositoryType
  let replay: TraceReplay
  let standIn: (@Sendable (Int) -> Model)?

  private var given: GivenValues { GivenValues(hasValues: replay.hasValues) }

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    Response(try models("find", given.criteria(criteria)))
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    Response(try models("findOne", given.criteria(criteria)).first)
  }

  func count(_ criteria: Criteria) async throws -> Int {
    try count("count", given.criteria(criteria))
  }

  func exists(_ criteria: Criteria) async throws -> Bool {
    try count("exists", given.criteria(criteria)) > 0
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try self.models("store", given.models(models)))
  }

  func storeOne(_ model: Model) async throws -> Response<Model?> {
    Response(try models("storeOne", given.models([model])).first)
  }

  func update(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try self.models("update", given.models(models)))
  }

  func updateOne(_ model: Model) async throws -> Response<Model?> {
    Response(try models("updateOne", given.models([model])).first)
  }

  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try self.models("storeOrUpdate", given.models(models)))
  }

  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    Response(try self.models("remove", given.models(models)))
  }

  func removeOne(_ model: Model) async throws -> Response<Model?> {
    Response(try models("removeOne", given.models([model])).first)
  }

  private func models(_ method: String, _ given: JSONValue) throws -> [Model] {
    switch try replay.answer(method, given, model: "\(Model.self)", type) {
    case .models(_, let values?): return try values.map { try $0.decoded(Model.self) }
    case .models(let count, nil):
      guard count > 0 else { return [] }
      guard let standIn, count <= Self.mostStandIns else {
        throw RecordingError(
          "The recording has no models, because it was made without values; pass the repository a "
            + "standIn that makes some.")
      }
      return (1...count).map(standIn)
    case .count(let count):
      throw RecordingError(
        "The recording has a count of \(count) where your test asks for models; record it again.")
    case .failure(let failure): throw failure
    }
  }

  /// More than that no file is believed.
  private static var mostStandIns: Int { 1_000_000 }

  private func count(_ method: String, _ given: JSONValue) throws -> Int {
    switch try replay.answer(method, given, model: "\(Model.self)", type) {
    case .count(let count): return count
    case .models(let count, _): return count
    case .failure(let failure): throw failure
    }
  }
}
