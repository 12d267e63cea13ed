public import Evocation

extension SQLiteRepository {
  /// Adds models: all of them, or none when an id is there already or comes twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.store(models), isShort: models.count == 1)
  }

  /// Changes the models that are there, and gives those; of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.update(models), isShort: models.count == 1)
  }

  /// Adds or changes models, and gives them; of several with one id, the last counts.
  @discardableResult
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.storeOrUpdate(models), isShort: models.count == 1)
  }

  /// Removes models by their ids, and gives those that it removed, as they last were.
  @discardableResult
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.remove(models), isShort: models.count == 1)
  }

  /// Adds or changes the models, and removes what matches and is not among them, in one transaction.
  ///
  /// With a limit, only what stands within the answered page is removed. With an offset nothing
  /// is, because what stands before the page is not known.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await commit(.mirror(models, for: criteria), isShort: false)
  }

  /// Does the same, and leaves some models as they are, in one transaction.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await commit(.mirror(models, for: criteria, keeping: kept), isShort: false)
  }
}
