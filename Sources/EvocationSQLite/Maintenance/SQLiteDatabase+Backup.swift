internal import Evocation

extension SQLiteDatabase {
  /// Copies the database in its present state into one file, while reads and writes continue.
  ///
  /// ```swift
  /// try await database.backup(to: copy, replacing: true) { progress in
  ///   print("\(progress.copiedPageCount) of \(progress.pageCount) pages")
  /// }
  /// ```
  ///
  /// The copy is the state after one commit, unaffected by concurrent writes. It has a temporary
  /// name in the same folder until it is complete and on the disk. A backup that fails or is
  /// canceled leaves no file behind, and does not change an earlier backup. The copy has no log
  /// beside it, and opens like any database.
  ///
  /// The work runs on a queue of the database and occupies one of the readers. Until it ends, the
  /// log cannot start over. For a database in memory it occupies the only connection.
  ///
  /// - Parameters:
  ///   - path: The path of the copy. Its folder must exist.
  ///   - replacing: Whether to replace an SQLite database at this path, such as an earlier backup.
  ///     A backup never replaces any other file, or a database that has a log beside it.
  ///   - progress: Called after each step, on the queue that copies.
  /// - Throws: ``SQLiteError``, with the code `targetExists` for a file that the backup may not
  ///   replace; `CancellationError`.
  public func backup(
    to path: String, replacing: Bool = false,
    progress: (@Sendable (BackupProgress) -> Void)? = nil
  ) async throws {
    let source = location
    try await reading { connection in
      let file = try BackupFile(path, source: source, mayReplace: replacing)
      defer { file.discard() }
      try connection.snapshot { connection in
        // The snapshot begins with the first read, and does not see later writes.
        _ = try connection.first("SELECT count(*) FROM sqlite_schema")
        let copy = try PageCopy(of: connection, to: file.temporary)
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
  /// The progress of a backup.
  public struct BackupProgress: Sendable, Hashable {
    /// The number of pages that have been copied.
    public let copiedPageCount: Int

    /// The number of all pages to copy.
    public let pageCount: Int
  }
}
