internal import CEvocationSQLite
internal import Foundation

extension Connection {
  /// Runs `body` in one transaction, which keeps all of its writes or none.
  func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try checkWritable()
    try execute("BEGIN IMMEDIATE", "Beginning a transaction")
    alsoChanged = nil
    do {
      let value = try body(self)
      try checkCancellation()
      try checkTransaction()
      try committing { try execute("COMMIT", "Committing a transaction") }
      beginLogAnewIfLong()
      return value
    } catch {
      // The code that ended the transaction inside may have committed it.
      if isOutsideTransaction { commits.advance() }
      rollback()
      throw error
    }
  }

  /// Runs `body`, which is one statement that commits automatically.
  ///
  /// It is for statements that do not wait for another process, because a read of a versioned
  /// snapshot waits for them.
  func committingAlone(_ body: () throws -> Void) throws {
    try checkWritable()
    alsoChanged = nil
    try committing(body)
    beginLogAnewIfLong()
  }

  /// Throws for a database that only reads its file.
  private func checkWritable() throws {
    if configuration.isReadOnly { throw SQLiteError.onlyRead(file) }
  }

  /// Runs `body`, which commits, and numbers the commit.
  ///
  /// Versioned readers see both at the same time.
  func committing(_ body: () throws -> Void) throws {
    try opened?.checkCommit()
    version = try uninterrupted { try commits.committing(body) }
    if let mover, hasForeignCommit() { mover.recordForeignCommit() }
  }

  /// Returns whether another connection has committed since our last commit.
  ///
  /// SQLite counts our own commit, and once those of others before it.
  private func hasForeignCommit() -> Bool {
    var present: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &present)
    defer { dataVersion = present }
    return dataVersion.map { $0 &+ 1 != present } ?? false
  }

  /// Starts moving a long log into the file, so that a later commit starts it over.
  ///
  /// SQLite would move it during the commit, while a read of a versioned snapshot waits. The mover
  /// works beside the writer, and leaves what is written in the meantime. If that never ends, the
  /// writer moves the log itself before it is too long, on its own queue: no caller waits for that.
  private func beginLogAnewIfLong() {
    // The log has started over since it was moved.
    if logPageCount < Self.longLog { nextMove = Self.longLog }
    guard logPageCount >= nextMove else { return }
    guard let mover else {
      moveLog()
      return
    }
    guard logPageCount >= longestLog, isOnQueue else {
      nextMove = max(logPageCount, min(logPageCount + Self.longLog, longestLog))
      return mover.begin()
    }
    nextMove = logPageCount + Self.pause
    mover.alone { moveLongestLog() }
  }

  /// Moves the log while this write waits, and lets the next write start it over.
  ///
  /// If another process moves it, this one waits for that: what it wrote in the meantime would be left.
  /// If another process writes without a pause, a part is always left that it has just written. So the
  /// rest is moved while nobody writes.
  private func moveLongestLog() {
    let start = ContinuousClock.now
    while moveLog() & 0xFF == SQLITE_BUSY, !shallEnd, start.duration(to: .now) < Self.longestWait {
      Thread.sleep(forTimeInterval: 0.001)
    }
    _ = withoutWaiting { moveLog(SQLITE_CHECKPOINT_FULL) }
  }

  /// Whether the log has to be moved by the next commit itself, and so not on a caller's thread.
  var hasLongestLog: Bool { logPageCount >= max(nextMove, longestLog) }

  /// Moves as much of the log as it can into the file, and returns SQLite's code: it is busy if another
  /// connection moves the log.
  @discardableResult
  func moveLog(_ mode: Int32 = SQLITE_CHECKPOINT_PASSIVE) -> Int32 {
    sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, nil)
  }

  /// Moves the log into the file, and returns whether that is all of it.
  func movesWholeLog() -> Bool {
    var (logged, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      handle, "main", SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
    return code == SQLITE_OK && logged == moved
  }

  /// How many pages the log has before it is moved into the file, which is SQLite's default.
  static var longLog: Int32 { 1_000 }

  /// How many pages the log may have before a write waits until it is moved.
  ///
  /// Two processes that write keep each other from starting the log over. One alone that writes without a
  /// pause does it at the end of a move, and waits less often for a longer log ("storeOne among 100,000").
  private var longestLog: Int32 { mover?.hasNoticedNobody == false ? 4_000 : 8_000 }

  /// How many pages a write adds to the longest log until one moves it again.
  ///
  /// While a reader needs an old state, nothing of the log after that can be moved.
  private static var pause: Int32 { 100 }

  /// How long a write waits for another process that moves the longest log.
  private static var longestWait: Duration { .seconds(1) }

  /// Runs `body` on one state of the database, unaffected by concurrent writes.
  func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    try execute("BEGIN DEFERRED", "Beginning a read")
    defer { rollback() }
    return try body(self)
  }

  /// Does the same, and returns the number of the last commit that the state contains.
  ///
  /// It waits for a running commit, which may wait for the disk. Use it on a connection's queue.
  func versionedSnapshot<Value>(
    _ body: (Connection) throws -> Value
  ) throws -> (value: Value, version: UInt64) {
    defer { rollback() }
    let version = try commits.betweenCommits { version in
      try execute("BEGIN DEFERRED", "Beginning a read")
      // The snapshot begins with the first read, and this read touches no table.
      _ = try first("PRAGMA schema_version")
      return version
    }
    return (try body(self), version)
  }

  /// Runs `body`, and undoes only its writes if it throws.
  func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
    try execute("SAVEPOINT evocation", "Beginning a savepoint")
    do {
      let value = try body()
      try checkCancellation()
      try checkTransaction()
      try execute("RELEASE evocation", "Keeping a savepoint")
      return value
    } catch {
      // After some failures SQLite has undone the whole transaction, with this savepoint.
      if !isOutsideTransaction { rollbackSavepoint() }
      throw error
    }
  }

  /// Throws if the transaction has ended, so that nothing is written outside of one.
  func checkTransaction() throws {
    guard isOutsideTransaction else { return }
    throw SQLiteError(
      .misuse,
      "A transaction in \(file) failed: your app ended it inside the closure; leave BEGIN, COMMIT "
        + "and ROLLBACK to write, and let errors pass."
    )
  }

  /// Runs a statement that has no values and returns no rows.
  func execute(_ sql: String, _ action: @autoclosure () -> String) throws {
    let statement = try statement(sql, action())
    defer { statement.reset() }
    while try step(statement, action()) {}
  }

  /// Returns the tables that the last commit changed by triggers and foreign keys, once.
  func takeAlsoChanged() -> ChangedTables? {
    defer { alsoChanged = nil }
    return alsoChanged
  }

  /// How many rows were written since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// How many rows the last statement wrote.
  var changes: Int64 { sqlite3_changes64(handle) }

  /// The number of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether SQLite commits each statement automatically.
  var isOutsideTransaction: Bool { sqlite3_get_autocommit(handle) != 0 }

  /// Whether a transaction that may write is running, which excludes every other writer.
  var isWriting: Bool { sqlite3_txn_state(handle, "main") == SQLITE_TXN_WRITE }

  /// Undoes the writes of the transaction, which SQLite has already done after some failures.
  func rollback() {
    guard !isOutsideTransaction else { return }
    if isWriting { forgetOwnTables() }
    // A failure here is not reported, because the caller throws the error that led to it.
    try? uninterrupted { try execute("ROLLBACK", "Rolling back") }
  }

  /// Undoes the writes since the last savepoint, or all of them if that fails.
  private func rollbackSavepoint() {
    do {
      forgetOwnTables()
      try uninterrupted {
        try execute("ROLLBACK TO evocation", "Rolling back")
        try execute("RELEASE evocation", "Rolling back")
      }
    } catch {
      rollback()
    }
  }
}
