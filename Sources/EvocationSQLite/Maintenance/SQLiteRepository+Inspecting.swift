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
      let statement = try connection.bound("EXPLAIN QUERY PLAN \(query.text)", query.values)
      defer { statement.reset() }
      var steps: [String] = []
      while try connection.step(statement, "Planning a query") {
        if case .text(let step) = statement.value(at: 3) { steps.append(step) }
      }
      return steps
    }
  }
}
