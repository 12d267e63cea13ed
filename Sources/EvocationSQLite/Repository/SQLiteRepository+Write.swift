public import Evocation

extension SQLiteRepository {
  /// Adds models: all of them, or none when an id is there already or comes twice.
  @discardableResult
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    _ = try await commit(isShort: models.count == 1) { table, connection in
      var taken: [ModelID] = []
      try models.inSteps(connection) { model in
        if try !table.write(model, table.insert, connection) { taken.append(table.id(model)) }
      }
      guard taken.isEmpty else {
        var reported: Set<ModelID> = []
        let ids = taken.filter { reported.insert($0).inserted }
        throw EvocationError.alreadyExists(ids.map(\.description))
      }
      return TableChanges(stored: models)
    }
    return Response(models)
  }

  /// Changes the models that are there, and gives those; of several with one id, the last counts.
  @discardableResult
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let models = table.lastOfEach(models)
    let hub = hub
    let updated = Lock<[Model]>([])
    _ = try await commit(isShort: models.count == 1) { table, connection in
      let isObserved = hub.isObserved
      var changes = TableChanges<Model>()
      var written: [Model] = []
      try models.inSteps(connection) { model in
        let before = isObserved ? try table.held(model, connection) : nil
        guard try table.write(model, table.update, connection) else { return }
        written.append(model)
        if let before { changes.updated.append(.init(before: before, after: model)) }
      }
      changes.isMixed = !isObserved && !written.isEmpty
      updated.withLock { $0 = written }
      return changes
    }
    return Response(updated.withLock { $0 })
  }

  /// Adds or changes models, and gives them; of several with one id, the last counts.
  @discardableResult
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let models = table.lastOfEach(models)
    let hub = hub
    _ = try await commit(isShort: models.count == 1) { table, connection in
      try table.put(models, connection, tellingApart: hub.isObserved)
    }
    return Response(models)
  }

  /// Removes models by their ids, and gives those that it removed, as they last were.
  @discardableResult
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    guard !models.isEmpty else { return Response([]) }
    let changes = try await commit(isShort: models.count == 1) { table, connection in
      var removed: [Model] = []
      try models.inSteps(connection) { model in
        if let gone = try table.remove(model, connection) { removed.append(gone) }
      }
      return TableChanges(removed: removed)
    }
    return Response(changes.removed)
  }

  /// Adds or changes the models, and removes what matches and is not among them, in one transaction.
  ///
  /// With a limit, only what stands within the answered page is removed. With an offset nothing
  /// is, because what stands before the page is not known.
  @discardableResult
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    let models = table.lastOfEach(models)
    let answered = Set(models.map(table.id))
    var everything = try criteria.resolved(against: table.plan.schema)
    everything.limit = nil
    let query = try table.selection.query(everything)
    let (limit, removes) = (criteria.limit.map { max(0, $0) }, criteria.offset == 0)
    let hub = hub
    let changes = try await commit(isShort: false) { table, connection in
      var changes = try table.put(models, connection, tellingApart: hub.isObserved)
      guard removes else { return changes }
      let surplus = try table.surplus(query, answered, limit, connection)
      try surplus.inSteps(connection) { model in
        if let gone = try table.remove(model, connection) { changes.removed.append(gone) }
      }
      return changes
    }
    return Response(changes.removed)
  }

  /// Runs one transaction and tells observers of it while nobody else can commit.
  private func commit(
    isShort: Bool,
    _ body: @escaping @Sendable (ModelTable<Model>, Connection) throws -> TableChanges<Model>
  ) async throws -> TableChanges<Model> {
    let (table, hub) = (table, hub)
    let write: @Sendable (Connection) throws -> TableChanges<Model> = { connection in
      let changes = try connection.transaction { try body(table, $0) }
      if hub.isObserved, let told = changes.told { hub.tell(told) }
      return changes
    }
    return isShort
      ? try await database.short(database.writer, write)
      : try await database.long(database.writer, write)
  }
}
