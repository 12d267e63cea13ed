internal import CEvocationSQLite
internal import Evocation

extension SQLiteDatabase {
  /// Writes the database anew without its free pages, so that the file shrinks.
  ///
  /// ```swift
  /// try await database.vacuum()
  /// ```
  ///
  /// Free pages are what deleted rows leave, with their content unless `secure_delete` is on. SQLite
  /// writes them again, and gives them back to the system only by this. Call it after a sign-out or a
  /// large purge, when ``statistics()`` says that many pages are free, and not as a routine: it reads
  /// and writes the whole database, and takes about twice its size on the disk meanwhile.
  ///
  /// It takes its turn among the writes and runs on a queue of the database. Reads go on, and observers
  /// are told of nothing, because nothing changes that they can see; those in other processes are told
  /// of an unknown change. A read that is under way at the end and takes longer than the busy timeout,
  /// such as a half-read stream, keeps the file at its size: it then shrinks at a later checkpoint, or
  /// when it is closed.
  ///
  /// - Throws: ``SQLiteError``, with the code `full` where there is no room; the database is then as it
  ///   was. `CancellationError`.
  public func vacuum() async throws {
    try await long(writer) { connection in
      let action = "Vacuuming the database"
      try connection.execute("VACUUM", action)
      // The log has the whole database now, and the file the size that it had.
      let code = sqlite3_wal_checkpoint_v2(
        connection.handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      if code & 0xFF != SQLITE_BUSY { try connection.check(code, action) }
    }
  }
}
