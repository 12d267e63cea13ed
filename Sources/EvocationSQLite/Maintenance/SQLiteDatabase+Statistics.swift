internal import Evocation

extension SQLiteDatabase {
  /// Tells how large the database is, and how well its statements are kept.
  ///
  /// ```swift
  /// let statistics = try await database.statistics()
  /// let used = statistics.pageSize * (statistics.pageCount - statistics.freePageCount)
  /// ```
  ///
  /// It reads a few pages, however large the database is, on a queue of its own. Rows are not
  /// counted, because that reads a table as a whole: ask `SELECT count(*)` for it.
  ///
  /// - Returns: The sizes as they are now, and the counts since the database was opened.
  /// - Throws: ``SQLiteError`` or `CancellationError`.
  public func statistics() async throws -> Statistics {
    let counts = statementCounts
    return try await long(reader) { connection in
      try connection.snapshot { connection in
        let known = counts.withLock { $0.map { ($0.hits, $0.misses) } }
        return Statistics(
          fileSize: connection.fileSize,
          logSize: connection.logSize,
          pageSize: try connection.number("PRAGMA page_size"),
          pageCount: try connection.number("PRAGMA page_count"),
          freePageCount: try connection.number("PRAGMA freelist_count"),
          tables: try connection.tables(),
          statementHitCount: known.reduce(0) { $0 + $1.0 },
          statementMissCount: known.reduce(0) { $0 + $1.1 }
        )
      }
    }
  }
}

extension Connection {
  fileprivate func number(_ sql: String) throws -> Int {
    guard case .integer(let number)? = try first(sql) else { return 0 }
    return Int(number)
  }

  fileprivate func tables() throws -> [String] {
    let statement = try statement(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'evocation\\_%' ESCAPE '\\'
      ORDER BY name
      """)
    defer { statement.reset() }
    var names: [String] = []
    while try step(statement, "Reading the schema") {
      if case .text(let name) = statement.value(at: 0) { names.append(name) }
    }
    return names
  }
}
