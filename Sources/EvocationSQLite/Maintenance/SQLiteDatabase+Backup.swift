internal import Evocation

extension SQLiteDatabase {
  /// Copies the database, as it is now, into one file, while others read and write.
  ///
  /// ```swift
  /// try await database.backup(to: copy, replacing: true) { progress in
  ///   print("\(progress.copiedPageCount) of \(progress.pageCount) pages")
  /// }
  /// ```
  ///
  /// The copy is the state after one commit, whatever is written meanwhile. It has a temporary name
  /// in the same folder until it is complete and on the disk; a backup that fails or is cancelled
  /// leaves no file behind, and does not change an earlier one. The copy has no log beside it, and
  /// opens like any database.
  ///
  /// The work runs on a queue of the database and occupies one of the readers; until it ends, the
  /// log cannot start over. For a database in memory it occupies the only connection.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; its folder must exist.
  ///   - replacing: Whether an SQLite database at this path, such as an earlier backup, is
  ///     replaced. Any other file is never replaced, nor is a database that has a log beside it.
  ///   - progress: Called after each step, on the queue that copies.
  /// - Throws: ``SQLiteError``, with the code `targetExists` for what may not be replaced, or
  ///   `CancellationError`.
  public func backup(
    to path: String, replacing: Bool = false,
    progress: (@Sendable (BackupProgress) -> Void)? = nil
  ) async throws {
    let source = location
    try await long(reader) { connection in
      let file = try BackupFile(path, source: source, mayReplace: replacing)
      defer { file.discard() }
      try connection.snapshot { connection in
        // The snapshot begins with the first read, and does not see what is written later.
        _ = try connection.first("SELECT count(*) FROM sqlite_schema")
        let copy = try PageCopy(of: connection, to: file)
        while try copy.step() {
          progress?(copy.progress)
          try connection.checkCancellation()
        }
        progress?(copy.progress)
        try copy.finish()
      }
      try connection.checkCancellation()
      try file.publish()
    }
  }
}

extension SQLiteDatabase {
  /// How far a backup has come.
  public struct BackupProgress: Sendable, Hashable {
    /// How many pages have been copied.
    public let copiedPageCount: Int

    /// How many pages there are to copy.
    public let pageCount: Int
  }
}
