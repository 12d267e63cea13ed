public import Evocation

extension SQLiteRepository {
  /// Inserts models: all of them, or none if an id already exists or occurs twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.store(models), isShort: models.count == 1)
  }

  /// Inserts a model, or throws `EvocationError.alreadyExists` if its id already exists.
  @discardableResult
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    if !hub.isObserved, try await writeOne(model, by: table.insert) { return Response(model) }
    // This notifies observers, and finds out why a row was not written.
    return try await store([model]).first
  }

  /// Updates the models that exist, and returns them.
  ///
  /// Of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.update(models), isShort: models.count == 1)
  }

  /// Updates a model and returns it; returns nil if it does not exist.
  @discardableResult
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    if hub.isObserved { return try await update([model]).first }
    return Response(try await writeOne(model, by: table.update) ? model : nil)
  }

  /// Inserts or updates models, and returns them.
  ///
  /// Of several with one id, the last counts.
  @discardableResult
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.storeOrUpdate(models), isShort: models.count == 1)
  }

  /// Removes models by their ids, and returns the removed ones with their last stored values.
  @discardableResult
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.remove(models), isShort: models.count == 1)
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
    try await commit(.mirror(models, for: criteria), isShort: false)
  }

  /// Does the same, but leaves some models unchanged.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await commit(.mirror(models, for: criteria, keeping: kept), isShort: false)
  }

  /// Runs a statement for one model while there are no observers; returns whether it wrote a row.
  ///
  /// SQLite commits a single statement automatically, which costs half as much as a transaction
  /// around it ("storeOne, Evocation").
  private func writeOne(_ model: Model, by sql: String) async throws -> Bool {
    let (table, hub, watch) = (table, hub, database.watch)
    return try await database.writing(isShort: true) { connection in
      let hasWritten =
        if connection.mayWait || watch.isWatching {
          try watch.transaction(connection) { connection in
            try table.writer(sql, connection).write(model)
          }
        } else {
          try table.writer(sql, connection).writeAlone(model)
        }
      // An observer that begins during the write gets an unknown change.
      if hasWritten, hub.isObserved { hub.tellUnknown(version: connection.version) }
      return hasWritten
    }
  }
}
