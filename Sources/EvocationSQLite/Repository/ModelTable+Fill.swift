internal import Evocation

extension ModelTable {
  /// Writes the model's defaults into rows that are older than these columns, so that criteria find
  /// them.
  ///
  /// Only the type knows its defaults, so each row is read as a model. It stops after the first row
  /// if that row has no default, as with properties that are only optional.
  func fill(_ added: [Column], _ connection: Connection) throws {
    guard !added.isEmpty else { return }
    do {
      let positions = added.compactMap { plan.columns.firstIndex(of: $0) } + plan.key
      let writer = try writer(
        plan.update(added.map { ($0, "?") }), connection, of: plan.layout(of: positions))
      var isFirst = true
      try forEach(selection.query(Criteria()), connection) { model in
        _ = try writer.write(model)
        defer { isFirst = false }
        return try !isFirst || isFilled(added, connection)
      }
    } catch is DecodingError {
      // Such a row cannot be read later either, and that read throws the reason.
    }
  }

  private func isFilled(_ added: [Column], _ connection: Connection) throws -> Bool {
    let conditions = added.map { "\($0.name.quoted) IS NOT NULL" }.joined(separator: " OR ")
    return try connection.first(
      "SELECT 1 FROM \(plan.table.quoted) WHERE \(conditions) LIMIT 1") != nil
  }
}
