internal import Evocation

extension ModelTable {
  /// Adds or changes models; which of both is found out only if somebody wants to know.
  func put(
    _ models: [Model], _ connection: Connection, tellingApart: Bool
  ) throws -> TableChanges<Model> {
    // Who begins to observe meanwhile is told that something changed, and not what.
    var changes = TableChanges<Model>(isMixed: !tellingApart && !models.isEmpty)
    try models.inSteps(connection) { model in
      if !tellingApart {
        _ = try write(model, upsert, connection)
      } else if let before = try held(model, connection) {
        _ = try write(model, update, connection)
        changes.updated.append(.init(before: before, after: model))
      } else {
        _ = try write(model, insert, connection)
        changes.stored.append(model)
      }
    }
    return changes
  }

  /// What has to go for the first page to hold nothing but what was answered.
  func surplus(
    _ query: SQLQuery, _ answered: Set<ModelID>, _ limit: Int?, _ connection: Connection
  ) throws -> [Model] {
    var kept = 0
    var surplus: [Model] = []
    if limit == 0 { return [] }
    try forEach(query, connection) { model in
      if answered.contains(id(model)) { kept += 1 } else { surplus.append(model) }
      return kept != limit
    }
    return surplus
  }

  /// One model for each id, where the id came first, and as it came last.
  func lastOfEach(_ models: [Model]) -> [Model] {
    guard models.count > 1, Set(models.map(\.id)).count < models.count else { return models }
    var indices: [ModelID: Int] = [:]
    var result: [Model] = []
    for model in models {
      let id = id(model)
      if let index = indices[id] {
        result[index] = model
      } else {
        indices[id] = result.count
        result.append(model)
      }
    }
    return result
  }
}
