import Evocation

/// A repository that immediately returns its models, or the models of a write.
struct PromptRepository<Model: Sendable>: Repository {
  let held: [Model]

  func find(_ criteria: Criteria) async throws -> Response<[Model]> { Response(held) }
  func findOne(_ criteria: Criteria) async throws -> Response<Model?> { Response(held.first) }
  func store(_ models: [Model]) async throws -> Response<[Model]> { Response(models) }
  func storeOne(_ model: Model) async throws -> Response<Model?> { Response(model) }
  func update(_ models: [Model]) async throws -> Response<[Model]> { Response(models) }
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> { Response(models) }
  func remove(_ models: [Model]) async throws -> Response<[Model]> { Response(models) }
}
