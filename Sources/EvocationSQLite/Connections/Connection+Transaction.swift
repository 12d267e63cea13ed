internal import CEvocationSQLite

extension Connection {
  /// Runs `body` in one transaction: what it wrote is kept as a whole, or not at all.
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try execute("BEGIN IMMEDIATE", "Beginning a transaction")
    do {
      let value = try body(self)
      try checkCancellation()
      try checkTransaction()
      try committing { try execute("COMMIT", "Committing a transaction") }
      beginLogAnewIfLong()
      return value
    } catch {
      // What ended the transaction inside may have committed it.
      if isOutsideTransaction { commits.advance() }
      rollback()
      throw error
    }
  }

  /// Runs `body`, which is one statement that commits by itself.
  ///
  /// It is for what does not wait for another process, because a read of a versioned snapshot waits
  /// for it.
  func committingAlone(_ body: () throws -> Void) throws {
    try committing(body)
    beginLogAnewIfLong()
  }

  /// Runs `body`, which commits, and gives the commit its number: both at once for versioned readers.
  func committing(_ body: () throws -> Void) throws {
    version = try uninterrupted { try commits.committing(body) }
  }

  /// Has a long log moved into the file, so that a later commit starts it from the beginning.
  ///
  /// SQLite would do so within the commit, while a read of a versioned snapshot waits. What moves it
  /// beside the writer leaves what is written meanwhile; where that never ends, the writer moves it
  /// itself before it is too long.
  private func beginLogAnewIfLong() {
    // It began anew since it was moved.
    if logPageCount < Self.longLog { nextMove = Self.longLog }
    guard logPageCount >= nextMove else { return }
    guard let mover, logPageCount < Self.longestLog else {
      nextMove = Self.longLog
      onWait?()
      if let mover { mover.alone { moveLog() } } else { moveLog() }
      return
    }
    nextMove = logPageCount + Self.longLog
    mover.begin(onWait)
  }

  /// Moves what it can of the log into the file, without waiting; nothing where another one does.
  func moveLog() {
    sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }

  /// SQLite's default of how many pages the log has before it is moved into the file.
  static var longLog: Int32 { 1_000 }

  /// How many pages the log may have before a write waits until it is moved.
  private static var longestLog: Int32 { 8_000 }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try execute("BEGIN DEFERRED", "Beginning a read")
    defer { rollback() }
    return try body(self)
  }

  /// Does the same, and gives the number of the last commit that the state holds.
  ///
  /// It waits for a commit that is under way, which may wait for the disk: it is for a connection's
  /// queue.
  func versionedSnapshot<Value>(
    _ body: (Connection) throws -> Value
  ) throws -> (value: Value, version: UInt64) {
    defer { rollback() }
    let version = try commits.betweenCommits { version in
      try execute("BEGIN DEFERRED", "Beginning a read")
      // The snapshot begins with the first read, and this one reads no table.
      _ = try first("PRAGMA schema_version")
      return version
    }
    return (try body(self), version)
  }

  /// Runs `body` so that what it wrote is taken back alone when it throws.
  func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    try execute("SAVEPOINT evocation", "Beginning a savepoint")
    do {
      let value = try body()
      try checkCancellation()
      try checkTransaction()
      try execute("RELEASE evocation", "Keeping a savepoint")
      return value
    } catch {
      // After some failures SQLite has taken back the whole transaction, this savepoint with it.
      if !isOutsideTransaction { rollbackSavepoint() }
      throw error
    }
  }

  /// Throws when there is no transaction any more, so that nothing is written outside of one.
  func checkTransaction() throws {
    guard isOutsideTransaction else { return }
    throw SQLiteError(
      .misuse,
      "A transaction in \(file) failed: your app ended it inside the closure; leave BEGIN, COMMIT "
        + "and ROLLBACK to write, and let errors pass."
    )
  }

  /// Runs a statement that has no values and gives no rows.
  func execute(_ sql: String, _ action: @autoclosure () -> String) throws {
    let statement = try statement(sql, action())
    defer { statement.reset() }
    while try step(statement, action()) {}
  }

  /// How many rows were written since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// How many rows the last statement wrote.
  var changes: Int64 { sqlite3_changes64(handle) }

  /// The number of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether what is written now is committed by itself.
  var isOutsideTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Whether there is a transaction that may write, and no other can until it ends.
  var isWriting: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }

  /// Takes back what the transaction wrote; SQLite has done so already after some failures.
  func rollback() {
    guard !isOutsideTransaction else { return }
    // Nobody is told when this fails: what made it necessary is the error.
    try? uninterrupted { try execute("ROLLBACK", "Rolling back") }
  }

  /// Takes back what was written since the last savepoint, or everything where that fails.
  private func rollbackSavepoint() {
    do {
      try uninterrupted {
        try execute("ROLLBACK TO evocation", "Rolling back")
        try execute("RELEASE evocation", "Rolling back")
      }
    } catch {
      rollback()
    }
  }
}
