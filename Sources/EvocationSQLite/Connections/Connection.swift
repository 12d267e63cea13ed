internal import CEvocationSQLite
internal import Dispatch
internal import Evocation
internal import Foundation

/// One connection to a database file, with the statements that it has prepared.
final class Connection: @unchecked Sendable {  // a pool lends it to one operation at a time
  let handle: OpaquePointer

  /// How the file is called in sentences.
  let file: String

  /// Where operations run that may be long.
  let queue: DispatchQueue

  /// The thread that runs something on it.
  let thread = RunningThread()

  /// How often a statement was there already, for those who ask from other threads.
  let counts = StatementCounts()

  /// Whether damage was found in the file, by whichever of the database's connections.
  let isDamaged: Lock<Bool>

  /// What is run first on it, and on those that are opened beside it.
  let firstStatements: ConnectionStatements

  /// The numbers of the commits of all of the database's connections.
  let commits: CommitClock

  /// The number of this connection's last commit.
  var version: UInt64 = 0

  /// Whether SQL of the app's own may have removed rows that no trigger was told of.
  var removesUntold = false

  /// The statements that a migration has run; nil where none is under way.
  var migrating: [String]?

  /// How many pages the log had after the last commit.
  var logPageCount: Int32 = 0

  /// The length of the log at which it is to be moved into the file.
  var nextMove = Connection.longLog

  /// What moves a long log beside the writer; nil for a connection that does not write.
  var mover: LogMover?

  /// Whether the database is suspended; nil where it never is.
  var suspension: Suspension?

  /// Is called when the log is long, or somebody keeps the connection waiting: by snapshots, perhaps,
  /// that nobody needs.
  var onWait: (@Sendable () -> Void)?

  /// Is called once, when the connection is closed.
  var onClose: (@Sendable () -> Void)?

  /// The number of the state that is held between short reads, as a read transaction that is open.
  private var held: UInt64?

  /// The number of the state that the last short read saw.
  private var lastRead: UInt64?

  /// Who is told of each statement; nil for nobody.
  private var statementLog: StatementLog?

  private var claim: OpenFiles.Claim?
  /// Why it is closed; nil while it is open.
  private var ending: SQLiteError?
  private let busyTimeout: Duration
  private var statements: StatementCache
  private var interruption: Interruption?
  /// Whether what ends a transaction runs, which nothing stops.
  private var isEnding = false
  /// Whether what runs may wait for another process.
  private(set) var mayWait = true
  private var waitsSince: ContinuousClock.Instant?

  init(
    handle: OpaquePointer, file: String, _ isDamaged: Lock<Bool>, _ commits: CommitClock,
    claim: OpenFiles.Claim?, configuration: SQLiteDatabase.Configuration
  ) {
    self.handle = handle
    self.file = file
    self.isDamaged = isDamaged
    self.commits = commits
    self.claim = claim
    queue = DispatchQueue(label: "evocation.sqlite")
    firstStatements = ConnectionStatements(configuration)
    busyTimeout = configuration.busyTimeout
    statements = StatementCache(capacity: configuration.statementCacheCapacity)
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(handle, onBusy, this)
    sqlite3_progress_handler(handle, 1000, onProgress, this)
    sqlite3_wal_hook(handle, onCommit, this)
  }

  deinit { close() }

  /// Closes the file, once; using the connection after that is an error.
  ///
  /// When the last connection closes, SQLite moves the log into the file, and removes it. A file that
  /// is to be left as it is, or in which damage was found, keeps its bytes and its log: a connection
  /// that was interrupted does not begin to move it, and one that is told to keep the log does so
  /// where there is nothing to move. A test that compares bytes knows when that changes.
  func close(asItIs: Bool = false, because ending: SQLiteError = .closed) {
    guard self.ending == nil else { return }
    self.ending = ending
    (held, onWait, mover) = (nil, nil, nil)
    statements.finalizeAll()
    if asItIs || isDamaged.withLock({ $0 }), logSize > 0 {
      var keepsLog: Int32 = 1
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
      sqlite3_interrupt(handle)
    }
    sqlite3_close_v2(handle)
    claim = nil
    onClose?()
    onClose = nil
  }

  /// Has each statement from now on written into a log, where that takes statements.
  func follow(_ log: Evocation.Log) {
    guard let log = log.taking(.sql) else { return }
    let statementLog = StatementLog(log, file)
    statementLog.follow(handle)
    self.statementLog = statementLog
  }

  /// Runs an operation that a cancellation of `interruption` stops, and that may wait for others.
  func run<Value>(
    _ interruption: Interruption, _ body: (Connection) throws -> Value
  ) throws -> Value {
    if let ending { throw ending }
    self.interruption = interruption
    interruption.attach(handle)
    defer {
      interruption.detach()
      self.interruption = nil
    }
    try checkCancellation()
    letGo()
    return try running(body)
  }

  /// Runs an operation that fails as busy where it would have to wait for another process.
  func runWithoutWaiting<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    mayWait = false
    defer { mayWait = true }
    return try running(body)
  }

  /// Runs an operation of whatever kind, on a thread that must not wait for this connection meanwhile.
  func running<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    thread.begin()
    defer { thread.end() }
    return try body(self)
  }

  /// Runs a short read of a file that no other process commits to, in the transaction that is held, or in
  /// a new one, which is held when there was no commit since the last read.
  func runHolding<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    let present = commits.current
    if held != present {
      letGo()
      // While somebody commits between any two reads, to hold one is nothing but more work.
      if lastRead == present {
        try execute("BEGIN DEFERRED", "Beginning a read")
        held = present
      }
      lastRead = present
    }
    do {
      return try runWithoutWaiting(body)
    } catch {
      letGo()
      throw error
    }
  }

  /// Ends the transaction that is held, if there is one.
  func letGo() {
    guard held != nil else { return }
    held = nil
    rollback()
  }

  /// Runs what ends a transaction, which a cancellation must not stop half-way.
  func uninterrupted<Value>(_ body: () throws -> Value) rethrows -> Value {
    let suspended = interruption
    suspended?.detach()
    interruption = nil
    isEnding = true
    defer {
      isEnding = false
      interruption = suspended
      suspended?.attach(handle)
    }
    return try body()
  }

  /// Throws when the task that the operation runs for was cancelled, or the database is suspended.
  func checkCancellation() throws {
    if interruption?.isCancelled == true { throw CancellationError() }
    if isSuspended { throw SQLiteError.suspended }
  }

  /// Gives the statement of this text, prepared if it is new; the error names `action`.
  func statement(
    _ sql: String, _ action: @autoclosure () -> String = "Preparing a statement"
  ) throws -> Statement {
    // So that what fails now is not told with the reason of what failed before.
    errno = 0
    if let known = statements.statement(sql), sqlite3_stmt_busy(known.handle) == 0 {
      counts.addHit()
      return known
    }
    counts.addMiss()
    let statement = try prepare(sql, action)
    statements.insert(statement, for: sql)
    return statement
  }

  /// Goes to the next row; false when there is none.
  ///
  /// The error names `action` as what failed.
  func step(_ statement: Statement, _ action: @autoclosure () -> String) throws -> Bool {
    let code = sqlite3_step(statement.handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw error(code, action())
  }

  /// Throws when `code` is the result of a failure.
  func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
    if code != SQLITE_OK { throw error(code, action()) }
  }

  /// Makes the error for the result code that SQLite has just given.
  func error(_ code: Int32, _ action: String) -> any Error {
    let isBusy = code & 0xFF == SQLITE_BUSY
    if code & 0xFF == SQLITE_INTERRUPT || isBusy, isSuspended, interruption?.isCancelled != true {
      return SQLiteError.suspended
    }
    // A cancelled task waits no longer for another process, and SQLite calls that busy.
    if code & 0xFF == SQLITE_INTERRUPT || (isBusy && interruption?.isCancelled == true) {
      return CancellationError()
    }
    let error = SQLiteError(failureOf: handle, action, file: file)
    if error.code == .damaged || error.code == .notADatabase { isDamaged.withLock { $0 = true } }
    return error
  }

  /// Whether what runs is to end because the database is suspended.
  fileprivate var isSuspended: Bool { !isEnding && suspension?.isOn == true }

  private func prepare(_ sql: String, _ action: () -> String) throws -> Statement {
    var prepared: OpaquePointer?
    var text = sql
    var hasMore = false
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, characters.baseAddress, Int32(clamping: characters.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail
        )
        let rest = (characters.baseAddress, tail)
        if case (let start?, let tail?) = rest {
          hasMore = characters[(tail - start)...].contains { !Self.isBlank($0) }
        }
        return code
      }
    }
    guard code == SQLITE_OK else { throw error(code, action()) }
    guard let prepared else {
      throw SQLiteError(.misuse, "Preparing a statement in \(file) failed: the SQL is empty.")
    }
    let statement = Statement(handle: prepared)
    if hasMore {
      throw SQLiteError(
        .misuse,
        "Preparing a statement in \(file) failed: the SQL holds more than one statement, or a NUL; "
          + "pass one statement per call."
      )
    }
    return statement
  }

  private static func isBlank(_ character: CChar) -> Bool {
    character == 0x20 || character == 0x3B || (0x09...0x0D).contains(character)
  }
}

extension Connection {
  /// Whether SQLite shall try again what another connection has kept it from.
  fileprivate func waits(tries: Int32) -> Bool {
    guard mayWait, interruption?.isCancelled != true, !isSuspended else { return false }
    let now = ContinuousClock.now
    let start = tries == 0 ? now : waitsSince ?? now
    waitsSince = start
    guard start.duration(to: now) < busyTimeout else { return false }
    Thread.sleep(forTimeInterval: tries < 10 ? 0.001 : 0.01)
    onWait?()
    return true
  }

  /// Whether the running statement shall end.
  ///
  /// It adds to `sqlite3_interrupt`, which does nothing in the moment between two
  /// statements, so that a cancellation there would be lost.
  fileprivate var shallEnd: Bool { interruption?.isCancelled == true || isSuspended }
}

private func onBusy(_ context: UnsafeMutableRawPointer?, _ tries: Int32) -> Int32 {
  guard let context else { return 0 }
  let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
  return connection.waits(tries: tries) ? 1 : 0
}

private func onProgress(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().shallEnd ? 1 : 0
}

private func onCommit(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ pageCount: Int32
) -> Int32 {
  guard let context else { return SQLITE_OK }
  Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logPageCount = pageCount
  return SQLITE_OK
}
