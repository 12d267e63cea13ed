import Evocation
import EvocationSQLite

/// The tables of an outbox's entries, whatever they are called, as a damaged file has them.
extension SQLiteDatabase {
  /// The tables with a column `position` and a column `key`, by their names.
  func entryTables() async throws -> [String] {
    try await texts(
      """
      SELECT a.name FROM sqlite_schema a WHERE a.type = 'table' AND 2 = (SELECT count(*) FROM \
      pragma_table_info(a.name) b WHERE b.name IN ('position', 'key')) ORDER BY a.name
      """)
  }

  /// Makes JSON that says a word into another in all entries, and gives the number of these.
  func spoilEntries(saying word: String) async throws -> Int {
    var count = 0
    for table in try await entryTables() {
      let columns = try await texts("SELECT name FROM pragma_table_info('\(table)')")
      for column in columns where column.hasPrefix("model") || column.hasPrefix("payload") {
        count += try await write { db in
          let condition = "instr(CAST(\(column) AS TEXT), ?) > 0"
          let found = try db.rows("SELECT 1 FROM \(table) WHERE \(condition)", [word]).count
          try db.execute("UPDATE \(table) SET \(column) = '{\"was\":1}' WHERE \(condition)", [word])
          return found
        }
      }
    }
    return count
  }

  private func texts(_ sql: String) async throws -> [String] {
    try await read { db in
      try db.rows(sql).compactMap { row in
        if case .text(let text)? = row.values.first { text } else { nil }
      }
    }
  }
}
