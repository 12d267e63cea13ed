public import Evocation

extension SQLiteRepository {
  /// Adds models: all of them, or none when an id is there already or comes twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let isShort = models.count == 1
    do {
      try await commit(isShort: isShort) { table, connection in
        guard try table.add(models, connection) else { throw TakenIDs() }
        return ((), TableChanges(stored: models))
      }
    } catch is TakenIDs {
      try await commit(isShort: isShort) { table, connection in
        let taken = try table.addApart(models, connection)
        guard taken.isEmpty else { throw EvocationError.alreadyExists(taken.map(\.description)) }
        return ((), TableChanges(stored: models))
      }
    }
    return Response(models)
  }

  /// Changes the models that are there, and gives those; of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let models = table.lastOfEach(models)
    let hub = hub
    let updated = try await commit(isShort: models.count == 1) { table, connection in
      try table.change(models, connection, tellingBefore: hub.isObserved)
    }
    return Response(updated)
  }

  /// Adds or changes models, and gives them; of several with one id, the last counts.
  @discardableResult
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let models = table.lastOfEach(models)
    let hub = hub
    try await commit(isShort: models.count == 1) { table, connection in
      ((), try table.put(models, connection, tellingApart: hub.isObserved))
    }
    return Response(models)
  }

  /// Removes models by their ids, and gives those that it removed, as they last were.
  @discardableResult
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let removed = try await commit(isShort: models.count == 1) { table, connection in
      let removed = try table.removeAll(models, connection)
      return (removed, TableChanges(removed: removed))
    }
    return Response(removed)
  }

  /// Adds or changes the models, and removes what matches and is not among them, in one transaction.
  ///
  /// With a limit, only what stands within the answered page is removed. With an offset nothing
  /// is, because what stands before the page is not known.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await mirror(models, for: criteria, keeping: [])
  }

  /// Does the same, and leaves some models as they are, in one transaction.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    let saving = try Saving(models, mirroring: criteria, keeping: kept, table)
    let hub = hub
    let removed = try await commit(isShort: false) { table, connection in
      let changes = try saving.run(table, connection, tellingApart: hub.isObserved)
      return (changes.removed, changes)
    }
    return Response(removed)
  }

  /// Runs one transaction and tells observers of it while nobody else can commit.
  func commit<Answer: Sendable>(
    isShort: Bool,
    _ body:
      @escaping @Sendable (ModelTable<Model>, Connection) throws -> (
        Answer, TableChanges<Model>
      )
  ) async throws -> Answer {
    let (table, hub, watch) = (table, hub, database.watch)
    let write: @Sendable (Connection) throws -> Answer = { connection in
      let (answer, changes) = try watch.transaction(connection) { try body(table, $0) }
      if hub.isObserved, let told = changes.told { hub.tell(told) }
      return answer
    }
    return try await database.writing(isShort: isShort, write)
  }
}

/// Says that models cannot be added, and not yet which: statements of many rows do not tell.
private struct TakenIDs: Error {}
