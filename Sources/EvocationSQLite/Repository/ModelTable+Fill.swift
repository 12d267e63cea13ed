internal import Evocation

extension ModelTable {
  /// Writes the model's defaults into rows that lack a value in one of these columns, so that criteria
  /// find them, and returns whether no such row is left.
  ///
  /// Only the type knows its defaults, so each row is read as a model; one that cannot be decoded is
  /// left for a later version. It stops after the first row if that row has no default, as with
  /// properties that are only optional.
  func fill(_ columns: [Column], _ connection: Connection) throws -> Bool {
    guard !columns.isEmpty else { return true }
    let positions = columns.compactMap { plan.columns.firstIndex(of: $0) } + plan.key
    let writer = try writer(
      plan.update(columns.map { ($0, "?") }), connection, of: plan.layout(of: positions))
    var (isFirst, isWhole) = (true, true)
    try forEachRow(rows(without: columns), connection) { model, _ in
      guard let model else {
        isWhole = false
        return true
      }
      _ = try writer.write(model)
      defer { isFirst = false }
      return try !isFirst || isFilled(columns, connection)
    }
    return isWhole
  }

  /// Whether ``fill(_:_:)`` would find a row to write.
  func canFill(_ columns: [Column], _ connection: Connection) throws -> Bool {
    var isFound = false
    try forEachRow(rows(without: columns), connection) { model, _ in
      isFound = model != nil
      return !isFound
    }
    return isFound
  }

  /// Returns the query for the rows that lack a value in one of these columns, in the order of their
  /// keys, which writing them does not change.
  private func rows(without columns: [Column]) -> SQLQuery {
    let conditions = columns.map { "+\($0.name.quoted) IS NULL" }.joined(separator: " OR ")
    return SQLQuery(
      "SELECT \(plan.columnList) FROM \(plan.table.quoted) WHERE \(conditions) ORDER BY "
        + plan.keyList)
  }

  private func isFilled(_ columns: [Column], _ connection: Connection) throws -> Bool {
    let conditions = columns.map { "\($0.name.quoted) IS NOT NULL" }.joined(separator: " OR ")
    return try connection.first(
      "SELECT 1 FROM \(plan.table.quoted) WHERE \(conditions) LIMIT 1") != nil
  }
}
