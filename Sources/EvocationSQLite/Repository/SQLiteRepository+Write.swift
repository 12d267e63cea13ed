public import Evocation

extension SQLiteRepository {
  /// Inserts models: all of them, or none if an id already exists or occurs twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await commit(.store(models))
  }

  /// Inserts a model, or throws `EvocationError.alreadyExists` if its id already exists.
  @discardableResult
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try Task.checkCancellation()
    if let written = try writeNow(.store, model) { return Response(written.first) }
    // This notifies observers, and finds out why a row was not written.
    return try await store([model]).first
  }

  /// Updates the models that exist, and returns them.
  ///
  /// Of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await commit(.update(models))
  }

  /// Updates a model and returns it; returns nil if it does not exist.
  @discardableResult
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try Task.checkCancellation()
    if let written = try writeNow(.update, model) { return Response(written.first) }
    return try await update([model]).first
  }

  /// Inserts or updates models, and returns them.
  ///
  /// Of several with one id, the last counts.
  @discardableResult
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await commit(.storeOrUpdate(models))
  }

  /// Removes models by their ids, and returns the removed ones with their last stored values.
  @discardableResult
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await commit(.remove(models))
  }

  /// Inserts or updates the models, and removes other matching models, in one transaction.
  ///
  /// With a limit, it removes only models inside the answered page. With an offset it removes none,
  /// because the models before the page are unknown. Without both, it does not write a row whose
  /// columns already equal the model's coding, and does not report it to observers.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await commit(.mirror(models, for: criteria))
  }

  /// Does the same, but leaves some models unchanged.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await commit(.mirror(models, for: criteria, keeping: kept))
  }
}
