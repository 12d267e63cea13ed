package import Evocation

extension SQLiteRepository {
  /// The sizes and the tables of the database.
  package var databaseState: DatabaseState? {
    get async throws {
      let path = database.path ?? "memory"
      return try await database.reading { connection in
        try connection.snapshot { connection in
          let pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
          return DatabaseState(
            path: path, size: connection.fileSize, logSize: connection.logSize,
            freeSize: pageSize * Int(try connection.integer("PRAGMA freelist_count") ?? 0),
            tables: try connection.texts(
              """
              SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' \
              ESCAPE '\\' AND name NOT LIKE 'evocation\\_%' ESCAPE '\\' ORDER BY name
              """))
        }
      }
    }
  }

  /// Returns the details of SQLite's query plan, in its order.
  package func plan(for criteria: Criteria) async throws -> [String] {
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    return try await database.reading { connection in
      try connection.all(
        "EXPLAIN QUERY PLAN \(query.text)", query.values, action: "Planning a query"
      ) {
        $0.text(at: 3)
      }
    }
  }
}
