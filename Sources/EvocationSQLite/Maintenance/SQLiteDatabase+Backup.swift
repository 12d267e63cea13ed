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
  /// The copy is the state after one commit, whatever is written meanwhile. It is written under
  /// another name in the same folder, and takes its own once it is whole and on the disk; a backup
  /// that fails or is cancelled leaves nothing behind, and an earlier one as it was. The file needs
  /// no log beside it, and opens as any database does.
  ///
  /// It runs on a queue of the database's own and takes one of the readers for as long as it lasts;
  /// the log cannot begin anew before it ends. Of a database in memory it takes the only connection.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; its folder has to be there.
  ///   - replacing: Whether an SQLite database of this path, such as an earlier backup, is replaced.
  ///     Anything else that is there never is, nor is a database that has a log beside it.
  ///   - progress: Is told after each step, on the queue that copies.
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
        // The snapshot begins with the first read; from here on, what is written is not seen.
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
