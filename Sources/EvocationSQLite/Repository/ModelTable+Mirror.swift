internal import Evocation

/// Replaces the table's models for some criteria with an answer.
extension ModelTable {
  /// Inserts or updates models, and removes matching ones that are neither among them nor to be
  /// kept.
  ///
  /// With a limit, it removes only models inside the answered page. With an offset it removes none,
  /// because the models before the page are unknown. Without both, it does not write rows that
  /// already have the right values.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model], connection: Connection,
    tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    var everything = try criteria.resolved(against: plan.schema)
    everything.limit = nil
    let query = try selection.query(everything)
    let models = lastOfEach(models)
    let rows = try PendingRows(self, connection, tellingApart: tellingApart)
    let unreadable = UnreadableRows(self, connection, models: models, keeping: kept)
    let keptIDs = Set(kept.map(id))
    if criteria.offset == 0, criteria.limit == nil {
      let difference = try difference(
        between: models, and: query, keeping: keptIDs, unreadable: unreadable,
        connection: connection)
      // A row goes before a model is written that may have another form of its key.
      try removeRows(unreadable.surplus, connection)
      try rows.write(difference.written)
      return try finish(
        rows, removing: difference.surplus, unreadable: unreadable, connection: connection)
    }
    try rows.write(models)
    guard criteria.offset == 0 else { return try rows.finish() }
    let surplus = try surplus(
      query, models, keeping: keptIDs, limit: criteria.limit.map { max(0, $0) },
      sortedAgainBy: rows.isWaiting ? everything : nil, unreadable: unreadable,
      connection: connection)
    try removeRows(unreadable.surplus, connection)
    return try finish(rows, removing: surplus, unreadable: unreadable, connection: connection)
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

  /// Finds the rows to remove so that the first page has only the answered models.
  ///
  /// If some answered models are not written yet, it sorts rows and models together. A row that
  /// cannot be decoded stays then, because its place is unknown.
  private func surplus(
    _ query: SQLQuery, _ answered: [Model], keeping others: Set<ModelID>, limit: Int?,
    sortedAgainBy order: Criteria?, unreadable: UnreadableRows<Model>, connection: Connection
  ) throws -> [Model] {
    let ids = Set(answered.map(id))
    var kept = 0
    var surplus: [Model] = []
    if limit == 0 { return [] }
    func isWithinPage(_ model: Model) -> Bool {
      let id = id(model)
      if ids.contains(id) {
        kept += 1
      } else if !others.contains(id) {
        surplus.append(model)
      }
      return kept != limit
    }
    guard let order else {
      try forEachRow(query, connection) { model, row in
        if let model { return isWithinPage(model) }
        if try unreadable.model(of: row) != nil { kept += 1 }
        return kept != limit
      }
      return surplus
    }
    var rows: [Model] = []
    try forEachRow(query, connection) { model, _ in
      if let model, !ids.contains(id(model)) { rows.append(model) }
      return true
    }
    let sorted = try order.select(from: (rows + answered).sorted { id($0) < id($1) }, id: id) {
      try FieldEncoder.fields(of: $0).normalized(for: plan.schema)
    }
    for model in sorted where !isWithinPage(model) { break }
    return surplus
  }
}
