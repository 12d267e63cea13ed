internal import CEvocationSQLite
internal import Evocation

extension SQLiteDatabase {
  /// Moves the log into the database file, and makes sure that both are on the disk.
  ///
  /// ```swift
  /// let checkpoint = try await database.checkpoint(.truncate)
  /// ```
  ///
  /// SQLite does this after each thousand pages, and when the last connection closes. Call it when
  /// the app goes to the background, or after a long read during which the log has grown. It takes
  /// its turn among the writes, and runs on a queue of the database. A database in memory has no
  /// log, so there is nothing to move.
  ///
  /// - Parameter mode: What the checkpoint waits for, at most for the busy timeout.
  /// - Returns: How many pages the log had, and how many of them are in the file.
  /// - Throws: ``SQLiteError``, with the code `busy` if another read or write took longer than the
  ///   busy timeout; `CancellationError`.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode = .passive) async throws -> Checkpoint {
    try await writing { connection in
      guard mode == .truncate else { return try connection.checkpoint(mode) }
      // The pages are counted first, because an emptied log has none.
      let checkpoint = try connection.checkpoint(.full)
      _ = try connection.checkpoint(.truncate)
      return checkpoint
    }
  }
}

extension Connection {
  /// Moves the log into the file while no other connection of the database does.
  func checkpoint(
    _ mode: SQLiteDatabase.CheckpointMode, _ action: String = "Making a checkpoint"
  ) throws -> SQLiteDatabase.Checkpoint {
    var (logged, moved): (Int32, Int32) = (0, 0)
    let move = { [self] in
      sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &logged, &moved)
    }
    try check(mover?.alone(move) ?? move(), action)
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

extension SQLiteDatabase {
  /// The result of a checkpoint, which moves pages from the log into the file.
  public struct Checkpoint: Sendable, Hashable {
    /// The number of pages in the log.
    public let logPageCount: Int

    /// The number of those pages that are now in the file, also from earlier checkpoints.
    public let movedPageCount: Int

    /// Whether the whole log is in the file.
    public var isComplete: Bool { movedPageCount == logPageCount }
  }
}

extension SQLiteDatabase {
  /// What a checkpoint waits for in order to move the whole log.
  public enum CheckpointMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Moves as much as it can while others read, without waiting.
    case passive
    /// Waits until no reader needs the pages that the log replaces, and moves all of it.
    case full
    /// Does the same as `full`, and waits until the log can start over.
    case restart
    /// Does the same as `restart`, and empties the log's file.
    case truncate
  }
}
