internal import Evocation

/// Replaces the table's models for some criteria with an answer.
extension ModelTable {
  /// Inserts or updates models, and removes matching ones that are neither among them nor to be
  /// kept.
  ///
  /// With a limit that the models reach, an offset or a cursor, it removes none, because the other
  /// models are not known. It does not write rows that already have the right values if it removes.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model], connection: Connection,
    tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    let query = try selection.query(criteria.unlimited.resolved(against: plan.schema))
    let rows = try PendingRows(self, connection, tellingApart: tellingApart)
    let isEnded = criteria.isEnded(by: models.count)
    let models = lastOfEach(models)
    guard isEnded else {
      try rows.write(models)
      return try rows.finish()
    }
    let unreadable = UnreadableRows(self, connection, models: models, keeping: kept)
    let difference = try difference(
      between: models, and: query, keeping: Set(kept.map(id)), unreadable: unreadable,
      connection: connection)
    // A row goes before a model is written that may have another form of its key.
    try removeRows(unreadable.surplus, connection)
    try rows.write(difference.written)
    return try finish(
      rows, removing: difference.surplus, unreadable: unreadable, connection: connection)
  }

  /// Removes the surplus, which rows may wait for, and then writes those rows.
  private func finish(
    _ rows: PendingRows<Model>, removing surplus: [Model], unreadable: UnreadableRows<Model>,
    connection: Connection
  ) throws -> StoreChanges<Model> {
    let removal = try removeAll(surplus, connection)
    var changes = try rows.finish()
    changes.removed = removal.removed
    changes.isMixed = changes.isMixed || removal.isMixed || !unreadable.surplus.isEmpty
    return changes
  }

  /// Finds, in one pass, which models to write and which rows to remove.
  ///
  /// If the service and the table have the same order, it looks up no id: it compares each row with
  /// the model that comes next.
  private func difference(
    between models: [Model], and query: SQLQuery, keeping kept: Set<ModelID>,
    unreadable: UnreadableRows<Model>, connection: Connection
  ) throws -> (written: [Model], surplus: [Model]) {
    let encoder = try writer(update, connection).encoder
    var isHeld = [Bool](repeating: false, count: models.count)
    var surplus = ModelList<Model>()
    lazy var indices = indices(of: models)
    var next = 0
    let (rows, decoder) = try prepare(query, connection)
    defer { finish(rows, decoder) }
    while try connection.step(rows, reading) {
      if next < models.count {
        let outcome = try encoder.compare(
          models[next], by: mapping, with: rows, key: plan.key)
        if outcome.hasKey {
          isHeld[next] = outcome.hasRest
          next += 1
          continue
        }
      }
      let held = try mapping.readIfPossible(decoder)
      let index = try held.map { indices[id($0)] } ?? unreadable.model(of: rows)
      if let index {
        isHeld[index] =
          try encoder.compare(models[index], by: mapping, with: rows, key: plan.key).hasRest
        next = index + 1
      } else if let held, !kept.contains(id(held)) {
        surplus.append(held)
      }
    }
    let written = isHeld.indices.filter { !isHeld[$0] }.map { models[$0] }
    return (written, surplus.take())
  }

  private func indices(of models: [Model]) -> [ModelID: Int] {
    var indices: [ModelID: Int] = [:]
    indices.reserveCapacity(models.count)
    for index in models.indices { indices[id(models[index])] = index }
    return indices
  }
}
