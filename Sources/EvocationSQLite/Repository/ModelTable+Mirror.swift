internal import Evocation

/// What saves an answer in place of what the table has for its criteria.
extension ModelTable {
  /// Adds or changes models, and removes what matches and is neither among them nor to be kept.
  ///
  /// With a limit, only what stands within the answered page is removed; with an offset nothing is,
  /// because what stands before the page is not known. Without both, rows that are already as they
  /// are to be are not written.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model], _ connection: Connection,
    tellingApart: Bool
  ) throws -> StoreChanges<Model> {
    var everything = try criteria.resolved(against: plan.schema)
    everything.limit = nil
    let query = try selection.query(everything)
    let models = lastOfEach(models)
    let kept = Set(kept.map(id))
    guard criteria.offset == 0, criteria.limit == nil else {
      var changes = try put(models, connection, tellingApart: tellingApart)
      guard criteria.offset == 0 else { return changes }
      let surplus = try surplus(
        query, Set(models.map(id)), keeping: kept, criteria.limit.map { max(0, $0) }, connection)
      changes.removed = try removeAll(surplus, connection)
      return changes
    }
    let difference = try difference(between: models, and: query, keeping: kept, connection)
    var changes = try put(difference.written, connection, tellingApart: tellingApart)
    changes.removed = try removeAll(difference.surplus, connection)
    return changes
  }

  /// Finds, in one reading, what of the models is to be written and what of the rows is to go.
  ///
  /// Where service and table have the same order, no id is looked at: each row is compared with the
  /// model that comes next.
  private func difference(
    between models: [Model], and query: SQLQuery, keeping kept: Set<ModelID>,
    _ connection: Connection
  ) throws -> (written: [Model], surplus: [Model]) {
    let writer = try writer(update, connection)
    var isHeld = [Bool](repeating: false, count: models.count)
    var surplus = ModelList<Model>()
    var indices: [ModelID: Int]?
    var next = 0
    let (rows, decoder) = try prepare(query, connection)
    defer { finish(rows, decoder) }
    while try connection.step(rows, reading) {
      if next < models.count {
        let outcome = try writer.compare(models[next], with: rows, key: plan.key)
        if outcome.hasKey {
          isHeld[next] = outcome.hasRest
          next += 1
          continue
        }
      }
      let held = try mapping.read(decoder)
      let id = id(held)
      let known = indices ?? self.indices(of: models)
      indices = known
      if let index = known[id] {
        isHeld[index] = try writer.compare(models[index], with: rows, key: plan.key).hasRest
        next = index + 1
      } else if !kept.contains(id) {
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

  /// What has to go for the first page to hold nothing but what was answered.
  private func surplus(
    _ query: SQLQuery, _ answered: Set<ModelID>, keeping others: Set<ModelID>, _ limit: Int?,
    _ connection: Connection
  ) throws -> [Model] {
    var kept = 0
    var surplus: [Model] = []
    if limit == 0 { return [] }
    try forEach(query, connection) { model in
      let id = id(model)
      if answered.contains(id) {
        kept += 1
      } else if !others.contains(id) {
        surplus.append(model)
      }
      return kept != limit
    }
    return surplus
  }
}
