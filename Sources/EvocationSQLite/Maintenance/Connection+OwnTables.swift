internal import Evocation

extension Connection {
  /// Returns a sentence for each of the library's tables with rows that it cannot have written.
  func problemsOfOwnTables() throws -> [String] {
    try Self.impossibleRows.compactMap { table, condition in
      guard try first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(table)]) != nil,
        let count = try integer("SELECT count(*) FROM \(table) WHERE \(condition)"),
        count > 0
      else { return nil }
      let rows = count == 1 ? "1 row is" : "\(count) rows are"
      return "\(table): \(rows) invalid; other SQL has changed the table"
    }
  }

  /// The library's tables, and the condition of rows that it does not write.
  private static let impossibleRows = [
    (
      "evocation_pages",
      """
      typeof(page) <> 'integer' OR typeof(requirements) <> 'blob' OR (SELECT count(DISTINCT value) FROM \
      json_each(ids)) <> count OR count IS NOT NULL AND page > (SELECT min(page) FROM evocation_pages \
      AS own WHERE own.list = evocation_pages.list AND own.count IS NOT NULL) AND NOT EXISTS (SELECT 1 \
      FROM evocation_pages AS own WHERE own.list = evocation_pages.list AND own.page = \
      evocation_pages.page - 1 AND own.count IS NOT NULL)
      """
    ),
    (
      "evocation_fetches",
      """
      typeof(fetchedAt) <> 'real' OR typeof(usedAt) <> 'real' OR isInvalidated NOT IN (0, 1, 2, 3) OR \
      typeof(size) <> 'integer' OR typeof(source) <> 'text' OR pages IS NOT NULL AND NOT \
      json_valid(CAST(pages AS TEXT))
      """
    ),
    (
      "evocation_entries",
      """
      kind NOT IN (0, 1, 2, 3) OR typeof(key) <> 'text' OR typeof(id) <> 'text' OR typeof(queuedAt) <> \
      'real' OR NOT json_valid(CAST(model AS TEXT)) OR NOT EXISTS (SELECT 1 FROM evocation_queues WHERE \
      number = queue)
      """
    ),
    ("evocation_removals", "typeof(id) NOT IN ('integer', 'text')"),
    ("evocation_outbox", "id <> 1 OR isHeld NOT IN (0, 1)"),
    (
      "evocation_sign_outs",
      """
      isDone NOT IN (0, 1) OR intent IS NOT NULL AND NOT json_valid(CAST(intent AS TEXT))
      """
    ),
  ]
}
