internal import CEvocationSQLite
internal import Evocation

extension SQLiteDatabase {
  /// Moves the log into the file and makes sure that both are on the disk.
  ///
  /// ```swift
  /// let checkpoint = try await database.checkpoint(.truncate)
  /// ```
  ///
  /// SQLite does so by itself for each thousand pages and when the last connection closes; this is
  /// for an app that goes to the background, or whose log has grown under a long read. It takes its
  /// turn among the writes and runs on a queue of the database's own. A database in memory has no
  /// log: its checkpoints have nothing to move.
  ///
  /// - Parameter mode: Whom it waits for, as long as the busy timeout says.
  /// - Returns: How many pages the log had, and how many of them were moved.
  /// - Throws: ``SQLiteError``, with the code `busy` when somebody read or wrote for longer than that;
  ///   `CancellationError`.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> Checkpoint {
    try await long(writer) { connection in
      guard mode == .truncate else { return try connection.checkpoint(mode) }
      // An empty log has no pages to count, so they are counted before.
      let checkpoint = try connection.checkpoint(.full)
      _ = try connection.checkpoint(.truncate)
      return checkpoint
    }
  }
}

extension Connection {
  fileprivate func checkpoint(
    _ mode: SQLiteDatabase.CheckpointMode
  ) throws -> SQLiteDatabase.Checkpoint {
    var (logged, moved): (Int32, Int32) = (0, 0)
    try check(
      sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &logged, &moved),
      "Making a checkpoint")
    return .init(logPageCount: Int(max(0, logged)), movedPageCount: Int(max(0, moved)))
  }
}

extension SQLiteDatabase.CheckpointMode {
  fileprivate var code: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .full: SQLITE_CHECKPOINT_FULL
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}
