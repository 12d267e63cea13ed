public import Evocation

extension SQLiteRepository {
  /// Adds models: all of them, or none when an id is there already or comes twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.store(models), isShort: models.count == 1)
  }

  /// Adds a model, unless its id is there already.
  @discardableResult
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    if !hub.isObserved, try await writeOne(model, by: table.insert) { return Response(model) }
    // It tells observers, and says why a row was not written.
    return try await store([model]).first
  }

  /// Changes the models that are there, and gives those; of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    return try await commit(.update(models), isShort: models.count == 1)
  }

  /// Changes a model if it is there, and gives it then.
  @discardableResult
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    if hub.isObserved { return try await update([model]).first }
    return Response(try await writeOne(model, by: table.update) ? model : nil)
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
  /// is, because what stands before the page is not known. Without both, a row whose columns are
  /// as the model codes them is not written, and observers are not told of it.
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

  /// Runs a statement for one model while nobody observes; gives whether it wrote a row.
  ///
  /// SQLite commits one statement by itself, which is half of what a transaction around it costs
  /// ("storeOne, Evocation").
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
      // Who begins to observe meanwhile is told that something changed, and not what.
      if hasWritten, hub.isObserved { hub.tellUnknown(version: connection.version) }
      return hasWritten
    }
  }
}
