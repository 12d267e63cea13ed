internal import Evocation

extension ModelTable {
  /// Removes models by their keys, and returns those that existed with their last stored values.
  ///
  /// Instead of one whose row cannot be decoded it returns the given model, and the change is mixed.
  ///
  /// One statement reads the rows, and one removes them: `DELETE … RETURNING` would create a table
  /// for the returned rows, which costs more than both.
  func removeAll(_ models: [Model], _ connection: Connection) throws -> StoreChanges<Model> {
    var changes = StoreChanges<Model>()
    if models.isEmpty { return changes }
    let (finder, delete) = (try finder(connection), try writer(remove, connection, of: keyColumns))
    try models.inBatches(of: TablePlan.removedRows, connection) { models in
      if let gone = try removeBatch(models, connection) { return changes.removed += gone }
      for model in models {
        switch try finder.held(model) {
        case .missing: continue
        case .model(let held): changes.removed.append(held)
        case .unreadable:
          changes.removed.append(model)
          changes.isMixed = true
        }
        _ = try delete.write(model)
      }
    }
    try unlist(changes.removed, connection)
    return changes
  }

  /// Removes the rows of models whose ids are the numbers of their rows.
  ///
  /// Returns nil, and changes nothing, in three cases. The ids do not increase, so the rows would have
  /// another order. A model's coding has another id than the model. Or a row cannot be decoded.
  private func removeBatch(
    _ models: ArraySlice<Model>, _ connection: Connection
  ) throws -> [Model]? {
    guard models.count > 1, plan.hasNumericKey, let ids = models.increasingIDs,
      let first = models.first, let from = ids.first, let to = ids.last,
      try key(of: first, connection).values == [.integer(from)]
    else { return nil }
    let rows = SQLQuery(" FROM \(plan.table.quoted) WHERE ") + plan.rows(ids)
    guard let held = try readAll(SQLQuery("SELECT \(plan.columnList)") + rows, connection),
      let known = held[...].increasingIDs, known.first ?? from >= from, known.last ?? to <= to
    else { return nil }
    if !held.isEmpty {
      let removal = SQLQuery("DELETE") + rows
      try connection.run(
        removal.text, removal.values, action: "Writing the table \(plan.table.quoted)")
    }
    return held
  }

  /// Reads all models that the query returns; nil if one of them cannot be decoded.
  private func readAll(_ query: SQLQuery, _ connection: Connection) throws -> [Model]? {
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    var models = ModelList<Model>()
    while try connection.step(statement, reading) {
      guard let model = try mapping.readIfPossible(decoder) else { return nil }
      models.append(model)
    }
    return models.take()
  }
}

extension TablePlan {
  /// How many rows one statement removes.
  ///
  /// More rows gain little.
  fileprivate static let removedRows = 250

  /// Whether the key is one whole number, which is then the number of the row.
  fileprivate var hasNumericKey: Bool {
    key.count == 1 && columns[key[0]].kind == .scalar(.integer)
  }

  /// Requires that a row has one of these increasing numbers.
  fileprivate func rows(_ ids: [Int64]) -> SQLQuery {
    let (from, to) = (ids[0], ids[ids.count - 1])
    // Without a gap the two ends identify all rows. SQLite then finds and removes them in half the
    // time.
    let isRange = to.subtractingReportingOverflow(from) == (Int64(ids.count - 1), false)
    if isRange { return SQLQuery("\(keyList) BETWEEN ? AND ?", [.integer(from), .integer(to)]) }
    // The last id is repeated, so that few SQL texts serve all counts.
    let parameters = Array(repeating: "?", count: Self.removedRows).joined(separator: ", ")
    let values = ids + Array(repeating: to, count: Self.removedRows - ids.count)
    return SQLQuery("\(keyList) IN (\(parameters))", values.map { .integer($0) })
  }
}

extension ArraySlice where Element: Identifiable {
  /// The ids if they are whole numbers and each is greater than the one before, as they often are.
  var increasingIDs: [Int64]? {
    guard Element.ID.self == Int64.self || Element.ID.self == Int.self else { return nil }
    return withUnsafeBufferPointer { models in
      var ids: [Int64] = []
      ids.reserveCapacity(models.count)
      for index in models.indices {
        // Both types are 64 bits wide. "remove, Evocation" needs it: a cast would look up the type
        // for each model, and one cast of all ids together took a tenth longer.
        let id = unsafeBitCast(models[index].id, to: Int64.self)
        if let last = ids.last, id <= last { return nil }
        ids.append(id)
      }
      return ids
    }
  }
}
