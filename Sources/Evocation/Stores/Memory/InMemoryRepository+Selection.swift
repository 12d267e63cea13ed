extension InMemoryRepository {
  /// Returns the first entry that matches now.
  func first(_ criteria: Criteria) throws -> Entry? {
    try selected(criteria.limit(min(1, criteria.limit ?? 1))).entries.first
  }

  /// Returns the entries that match now, and the version of the state that has them.
  func selected(_ criteria: Criteria) throws -> (entries: [Entry], version: UInt64) {
    if criteria.isEverything {
      let (state, version) = present
      return (state.ordered, version)
    }
    let schema = try ModelSchema.of(Model.self)
    let resolved = try criteria.resolved(against: schema)
    if let id = resolved.onlyID(under: schema.identifier) {
      let (entry, version) = entry(id)
      return (entry.map { [$0] } ?? [], version)
    }
    let (state, version) = present
    if let cursor = resolved.cursor, !state.ordered.isEmpty,
      // Only the models show how many values an id has.
      !state.ordered.contains(where: { $0.id.scalars.count == cursor.id.count })
    {
      throw Criteria.Cursor.madeForAnotherID
    }
    return (try Self.select(resolved, from: state.ordered, schema: schema), version)
  }

  private static var searching: String {
    "search a SQLiteRepository whose indexes have SQLiteIndex.fullText"
  }

  /// Selects entries by resolved criteria.
  static func select(
    _ criteria: Criteria, from entries: [Entry], schema: ModelSchema
  ) throws -> [Entry] {
    try criteria.predicate?.refuseOpaque(
      schema.model, words: "InMemoryRepository has no full-text index; \(Self.searching)")
    return try criteria.select(from: entries, id: { $0.id }) { entry in
      try entry.fields { try FieldEncoder.fields(of: $0).normalized(for: schema) }
    }
  }
}

extension Criteria {
  /// Returns the id, if the criteria ask for one id and nothing else.
  fileprivate func onlyID(under name: String?) -> ModelID? {
    guard
      case .comparison(let key, .equal, let operand) = predicate, key.name == name,
      operand.value != .null, offset == 0, cursor == nil, limit.map({ $0 > 0 }) ?? true
    else { return nil }
    return ModelID([operand.value])
  }
}
