internal import CEvocationSQLite
internal import Evocation
internal import Foundation

extension SQLiteDatabase {
  /// Copies the database in its present state into a new file, while reads and writes continue.
  ///
  /// ```swift
  /// try await database.backup(to: copy)
  /// ```
  ///
  /// The copy is the state after one commit, unaffected by concurrent writes, and has no free
  /// pages: SQLite writes it with one `VACUUM INTO`. It has a temporary name in the same folder
  /// until it is complete and on the disk. A backup that fails or is canceled leaves no file
  /// behind. The copy has no log beside it, and opens like any database.
  ///
  /// The work runs on a queue of the database and occupies one of the readers. Until it ends, the
  /// log cannot start over. For a database in memory it occupies the only connection.
  ///
  /// - Parameter path: The path of the copy. Its folder must exist, and the file must not.
  /// - Throws: ``SQLiteError``, with the code `targetExists` if there is a file at the path;
  ///   `CancellationError`.
  public func backup(to path: String) async throws {
    try await backup(to: path) { _ in }
  }

  /// Does the same, and passes the connection that copies before it does.
  func backup(
    to path: String, _ prepare: @escaping @Sendable (Connection) -> Void
  ) async throws {
    try checkWritable()
    let source = location.map {
      DatabaseFile(
        name: "\"\(self.path ?? $0)\"", path: $0, action: "Backing up the database")
    }
    try await reading { connection in
      let file = try BackupFile(path)
      defer { file.discard() }
      try connection.onWritable(source) { connection in
        prepare(connection)
        try connection.copy(to: file.temporary)
      }
      try connection.checkCancellation()
      try file.publish()
    }
  }
}

extension Connection {
  /// Runs `body` on another connection to the file, which may write; in memory, on this one.
  ///
  /// On a connection that only reads, SQLite skips the `CHECK` of each table, and then cannot copy
  /// one that also has a generated column, such as `evocation_pages`.
  fileprivate func onWritable(
    _ file: DatabaseFile?, _ body: (Connection) throws -> Void
  ) throws {
    guard let file else { return try body(self) }
    let other = try Connection.open(
      file, .visitor, configuration: configuration, isDamaged: isDamaged, commits: commits,
      opened: opened)
    try lending(to: other, body)
  }

  /// Copies the database into a new file that takes no part in a sign-out.
  fileprivate func copy(to file: DatabaseFile) throws {
    try takingNamesForText {
      let statement = try bound("VACUUM INTO ?", [.text(file.path)], action: file.action)
      defer { statement.reset() }
      errno = 0
      let code = sqlite3_step(statement.handle)
      guard code == SQLITE_DONE else { throw failure(code, errno, copyingTo: file) }
    }
    var configuration = configuration
    // The copy has the protection of its folder.
    configuration.fileProtection = nil
    let copy = try Connection.connect(
      file, SQLITE_OPEN_READWRITE, configuration: configuration, isDamaged: Lock(false),
      commits: CommitClock())
    // Files are signed out of while they are in use, and a copy may be opened by the next user.
    try SignOutTable(copy).unmarkAll()
  }

  /// Returns the error of a copy, which names the new file unless this one is damaged.
  private func failure(
    _ code: Int32, _ number: Int32, copyingTo file: DatabaseFile
  ) -> any Error {
    let failure = error(code, file.action)
    guard let error = failure as? SQLiteError, error.code != .damaged else { return failure }
    if error.code == .cannotOpen { return file.refusal(code, number, creates: true) }
    return SQLiteError(failureOf: handle, file.action, file: file.name)
  }
}
