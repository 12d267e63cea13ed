extension Criteria {
  /// Returns the models that the criteria match, in order; the criteria must be resolved.
  ///
  /// `entries` are in the order of their ids, which `id` returns. `fields` returns the encoded
  /// values of a model, and is called only if the criteria need them.
  package func select<Entry>(
    from entries: [Entry], id: (Entry) -> ModelID, fields: (Entry) throws -> Fields
  ) rethrows -> [Entry] {
    if let limit, limit <= 0 { return [] }
    let start = cursor.map { SortKey(values: $0.values, id: ModelID($0.id)) }
    guard !order.isEmpty else {
      return try selectInOrder(from: entries, after: start, id: id, fields: fields)
    }
    var found: [(entry: Entry, sortKey: SortKey)] = []
    for entry in entries {
      let fields = try fields(entry)
      if let predicate, !predicate.matches(fields) { continue }
      let sortKey = SortKey(values: order.map { fields.scalar(at: $0.key) }, id: id(entry))
      if let start, !start.precedes(sortKey, order) { continue }
      found.append((entry, sortKey))
    }
    found.sort { $0.sortKey.precedes($1.sortKey, order) }
    let rest = found.dropFirst(max(0, offset))
    return (limit.map { rest.prefix($0) } ?? rest).map { $0.entry }
  }

  /// Walks through the entries, which are already in order, until it has enough.
  private func selectInOrder<Entry>(
    from entries: [Entry], after start: SortKey?, id: (Entry) -> ModelID,
    fields: (Entry) throws -> Fields
  ) rethrows -> [Entry] {
    var skipped = 0
    var found: [Entry] = []
    if predicate == nil, start == nil {
      let rest = entries.dropFirst(max(0, offset))
      return Array(limit.map { rest.prefix($0) } ?? rest)
    }
    for entry in entries {
      if let start, !(start.id < id(entry)) { continue }
      if let predicate, try !predicate.matches(fields(entry)) { continue }
      skipped += 1
      if skipped <= offset { continue }
      found.append(entry)
      if found.count == limit { break }
    }
    return found
  }
}

/// The position of a model in an order: its values for the keys of the order, and its id.
package struct SortKey: Sendable, Hashable {
  package let values: [Criteria.Scalar]
  package let id: ModelID

  package init(values: [Criteria.Scalar], id: ModelID) {
    self.values = values
    self.id = id
  }

  /// Whether it comes before another; ids decide among equals, the least first.
  package func precedes(_ other: SortKey, _ order: [Criteria.Sort]) -> Bool {
    for (index, sort) in order.enumerated() {
      switch ScalarOrder.of(values[index], other.values[index]) {
      case .same: continue
      case .less: return !sort.descending
      case .greater: return sort.descending
      }
    }
    return id < other.id
  }
}
