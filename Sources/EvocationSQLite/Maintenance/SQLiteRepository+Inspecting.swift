package import Evocation

extension SQLiteRepository: InspectedLocal {
  /// The sizes and the tables of the database.
  package var inspectedFile: Inspection.File? {
    get async throws {
      let found = try await database.statistics()
      return Inspection.File(
        path: database.path ?? "memory", size: found.fileSize, logSize: found.logSize,
        freeSize: found.freePageCount * found.pageSize, tables: found.tables)
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
