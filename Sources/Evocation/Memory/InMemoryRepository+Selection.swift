extension InMemoryRepository {
  /// Gives the entries that match now.
  func selected(_ criteria: Criteria) throws -> [Entry] {
    if criteria == Criteria() { return present.ordered }
    let schema = try ModelSchema.of(Model.self)
    let resolved = try criteria.resolved(against: schema)
    if let cursor = resolved.cursor, !present.ordered.isEmpty,
      // Of an id that is made of several properties only the models know of how many.
      !present.ordered.contains(where: { $0.id.scalars.count == cursor.id.count })
    {
      throw Criteria.Cursor.madeForAnotherID
    }
    if let id = resolved.onlyID {
      return entry(id).map { [$0] } ?? []
    }
    return try Self.select(resolved, from: present.ordered, schema)
  }

  /// Picks entries by criteria that were resolved.
  static func select(
    _ criteria: Criteria, from entries: [Entry], _ schema: ModelSchema
  ) throws -> [Entry] {
    try criteria.select(from: entries, id: { $0.id }) { entry in
      try entry.fields { try FieldEncoder.fields(of: $0).normalized(for: schema) }
    }
  }
}

extension Criteria {
  /// The id that is asked for, when the criteria ask for nothing else.
  fileprivate var onlyID: ModelID? {
    guard
      case .comparison("id", .equal, let operand) = predicate,
      operand.value != .null, offset == 0, cursor == nil, limit.map({ $0 > 0 }) ?? true
    else { return nil }
    return ModelID([operand.value])
  }
}
