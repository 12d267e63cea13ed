internal import Evocation

extension SQLiteDatabase {
  /// Rewrites the database without its free pages, so that the file shrinks.
  ///
  /// ```swift
  /// try await database.vacuum()
  /// ```
  ///
  /// Deleted rows leave free pages. These keep their content, unless `secure_delete` is on. SQLite
  /// reuses free pages, and returns them to the system only through this method. Call it after a
  /// sign-out or a large deletion. Do not call it routinely: it reads and writes the whole database,
  /// and needs disk space for about twice its size.
  ///
  /// It takes its turn among the writes, and runs on a queue of the database. Reads continue.
  /// Observers in this process get no notification, because nothing visible to them changes.
  /// Observers in other processes get an unknown change. A read that is running at the end and
  /// takes longer than the busy timeout, such as a stream that was read halfway, keeps the file at
  /// its size. The file then shrinks at a later checkpoint, or when it is closed.
  ///
  /// - Throws: ``SQLiteError``, with the code `full` if there is no space, and then the database is
  ///   unchanged; `CancellationError`.
  public func vacuum() async throws {
    try await writing { connection in
      let action = "Vacuuming the database"
      try connection.takingNamesForText { try connection.execute("VACUUM", action) }
      // The log now has the whole database, and the file still has its former size.
      do {
        _ = try connection.checkpoint(.truncate, action)
      } catch let error as SQLiteError where error.code == .busy {
        // A later checkpoint shrinks the file.
      }
    }
  }
}
