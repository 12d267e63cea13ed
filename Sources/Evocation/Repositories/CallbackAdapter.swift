/// A callback repository in the shape of a ``Repository``.
struct CallbackAdapter<Base: CallbackRepository>: Repository {
  typealias Model = Base.Model

  private let base: Base
  private let caller: CallbackCaller

  init(
    _ base: Base,
    type: Evocation.RepositoryType,
    model: String,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?
  ) {
    self.base = base
    caller = CallbackCaller(type: type, model: model, onTrace: onTrace)
  }

  func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await caller.call("find") { base.find(criteria: criteria.nonTrivial, completion: $0) }
      .many()
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await caller.call("findOne") {
      base.findOne(criteria: criteria.nonTrivial, completion: $0)
    }
  }

  func count(_ criteria: Criteria) async throws -> Int {
    try await caller.call("count") { base.count(criteria: criteria.nonTrivial, completion: $0) }
      .value ?? 0
  }

  func exists(_ criteria: Criteria) async throws -> Bool {
    try await caller.call("exists") { base.exists(criteria: criteria.nonTrivial, completion: $0) }
      .value ?? false
  }

  func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("store") { base.store(models: models, completion: $0) }.many()
  }

  func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await caller.call("storeOne") { base.storeOne(model: model, completion: $0) }
  }

  func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("update") { base.update(models: models, completion: $0) }.many()
  }

  func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await caller.call("updateOne") { base.updateOne(model: model, completion: $0) }
  }

  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("storeOrUpdate") {
      base.storeOrUpdate(models: models, completion: $0)
    }
    .many()
  }

  func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await caller.call("remove") { base.remove(models: models, completion: $0) }.many()
  }
}

extension Criteria {
  /// Nil for everything, as Evocation 1.0's repositories expect it.
  fileprivate var nonTrivial: Criteria? {
    isEverything ? nil : self
  }
}

extension Response {
  fileprivate func many<Model>() -> Response<[Model]> where Value == [Model]? {
    map { $0 ?? [] }
  }
}
