/// One of the nine calls with what it was given.
///
/// The calls that concern one model are given an array of one here and answer an array of at most
/// one, so that the routing is written once and nothing on the way depends on a model's size. It
/// is indirect to be one pointer wide.
indirect enum Operation<Model: Sendable>: Sendable {
  case find(Criteria)
  case findOne(Criteria)
  case store([Model])
  case storeOne([Model])
  case update([Model])
  case updateOne([Model])
  case storeOrUpdate([Model])
  case remove([Model])
  case removeOne([Model])

  /// The action whose rule applies.
  var action: Strategy.Action {
    switch self {
    case .find: .find
    case .findOne: .findOne
    case .store, .storeOrUpdate: .store
    case .storeOne: .storeOne
    case .update: .update
    case .updateOne: .updateOne
    case .remove: .remove
    case .removeOne: .removeOne
    }
  }

  /// The call's name.
  var name: String {
    if case .storeOrUpdate = self { "storeOrUpdate" } else { action.rawValue }
  }

  /// What a read asks for, or nil for a write.
  var criteria: Criteria? {
    switch self {
    case .find(let criteria): criteria
    case .findOne(let criteria): criteria.limit(1)
    case .store, .storeOne, .update, .updateOne, .storeOrUpdate, .remove, .removeOne: nil
    }
  }

  /// The models that a write was given; none for a read.
  var models: [Model] {
    switch self {
    case .find, .findOne: []
    case .store(let models), .storeOne(let models), .update(let models), .updateOne(let models),
      .storeOrUpdate(let models), .remove(let models), .removeOne(let models):
      models
    }
  }

  /// Whether it is a bulk call that was given no models, so that there is nothing to do.
  var isVacuous: Bool {
    switch self {
    case .store(let models), .update(let models), .storeOrUpdate(let models), .remove(let models):
      models.isEmpty
    case .find, .findOne, .storeOne, .updateOne, .removeOne:
      false
    }
  }

  /// Asks the repository's method of the same name.
  func perform(on repository: any Repository<Model>) async throws -> Response<[Model]> {
    switch self {
    case .find(let criteria): try await repository.find(criteria)
    case .findOne(let criteria): try await repository.findFirst(criteria)
    case .store(let models): try await repository.store(models)
    case .storeOne(let models): try await repository.storeFirst(models)
    case .update(let models): try await repository.update(models)
    case .updateOne(let models): try await repository.updateFirst(models)
    case .storeOrUpdate(let models): try await repository.storeOrUpdate(models)
    case .remove(let models): try await repository.remove(models)
    case .removeOne(let models): try await repository.removeFirst(models)
    }
  }

  /// Makes the counterpart follow what the target answered.
  func synchronize(
    _ fetched: FetchedModels<Model>, to repository: any Repository<Model>, mirroring: Bool
  ) async throws -> Response<[Model]> {
    let models = fetched.models
    if action.isRemoval { return try await repository.remove(models) }
    guard mirroring, let criteria else { return try await repository.storeOrUpdate(models) }
    // A single model that was not found leaves nothing that matches, whatever the limit.
    let unlimited: Criteria
    if case .findOne(let given) = self, models.isEmpty, fetched.dropped == 0 {
      unlimited = given
    } else {
      unlimited = criteria
    }
    _ = try await repository.land(fetched.write(for: unlimited))
    return Response(models)
  }
}

// Functions of their own, so that only these calls make room for a model of unknown size.
extension Repository {
  @inline(never)
  fileprivate func findFirst(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await findOne(criteria).asArray()
  }

  @inline(never)
  fileprivate func storeFirst(_ models: [Model]) async throws -> Response<[Model]> {
    try await storeOne(models[0]).asArray()
  }

  @inline(never)
  fileprivate func updateFirst(_ models: [Model]) async throws -> Response<[Model]> {
    try await updateOne(models[0]).asArray()
  }

  @inline(never)
  fileprivate func removeFirst(_ models: [Model]) async throws -> Response<[Model]> {
    try await removeOne(models[0]).asArray()
  }
}

extension Response {
  fileprivate func asArray<Model>() -> Response<[Model]> where Value == Model? {
    map { $0.map { [$0] } ?? [] }
  }
}
