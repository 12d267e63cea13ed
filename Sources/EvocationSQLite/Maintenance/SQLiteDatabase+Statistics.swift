internal import Evocation

extension SQLiteDatabase {
  /// Returns the sizes of the database, and how often it reused prepared statements.
  ///
  /// ```swift
  /// let statistics = try await database.statistics()
  /// let used = statistics.pageSize * (statistics.pageCount - statistics.freePageCount)
  /// ```
  ///
  /// It reads a few pages, independent of the database's size, on a queue of the database. It does
  /// not count rows, because that reads whole tables. Use `SELECT count(*)` for that.
  ///
  /// - Returns: The present sizes, and the counts since the database was opened.
  /// - Throws: ``SQLiteError`` or `CancellationError`.
  public func statistics() async throws -> Statistics {
    let counts = statementCounts
    return try await reading { connection in
      try connection.snapshot { connection in
        Statistics(
          fileSize: connection.fileSize,
          logSize: connection.logSize,
          pageSize: Int(try connection.integer("PRAGMA page_size") ?? 0),
          pageCount: Int(try connection.integer("PRAGMA page_count") ?? 0),
          freePageCount: Int(try connection.integer("PRAGMA freelist_count") ?? 0),
          tables: try connection.texts(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE \
            '\\' AND name NOT LIKE 'evocation\\_%' ESCAPE '\\' ORDER BY name
            """),
          statementHitCount: counts.hits,
          statementMissCount: counts.misses
        )
      }
    }
  }
}

extension SQLiteDatabase {
  /// The sizes of a database, and how often it reused prepared statements.
  public struct Statistics: Sendable, Hashable {
    /// The size of the file in bytes, without the log; zero in memory.
    public let fileSize: Int

    /// The size in bytes of the log, which commits are written to first.
    public let logSize: Int

    /// The size of a page in bytes.
    public let pageSize: Int

    /// The number of pages of the data in the file and the log, with free pages.
    public let pageCount: Int

    /// The number of free pages, which SQLite can reuse.
    public let freePageCount: Int

    /// The names of the tables, sorted, without those of SQLite and of this library.
    public let tables: [String]

    /// How often the database reused a prepared statement.
    public let statementHitCount: Int

    /// How often the database had to prepare a statement.
    public let statementMissCount: Int
  }
}
