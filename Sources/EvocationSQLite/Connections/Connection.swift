internal import CEvocationSQLite
internal import Dispatch
internal import Evocation
internal import Foundation

/// One connection to a database file, with the statements that it has prepared.
final class Connection: @unchecked Sendable {  // a pool lends it to one operation at a time
  let handle: OpaquePointer

  /// The name of the file in sentences.
  let file: String

  /// The queue for operations that may be long.
  let queue: DispatchQueue

  /// The thread that runs an operation on the connection.
  let thread = RunningThread()

  /// Whether any of the database's connections found damage in the file.
  let isDamaged: Lock<Bool>

  /// How the database is opened.
  let configuration: SQLiteDatabase.Configuration

  /// The numbers of the commits of all of the database's connections.
  let commits: CommitClock

  /// The number of this connection's last commit.
  var version: UInt64 = 0

  /// Whether the file was opened, and not refused.
  var isOpen = false

  /// Whether the file is known to have the tables of the library.
  var hasMadeOwnTables = false
  /// How many of its added columns the ledger's table has; nil until it is known to have all.
  var fetchColumns: Int?
  /// Whether it is known that the outbox has a column for what the service said.
  var knowsWords = false
  /// Whether it is known that the file has the table of removed ids.
  var knowsRemovals = false

  /// The statements that a migration has run; nil if none is running.
  var migrating: [String]?

  /// The tables that the transaction changed by triggers and foreign keys; nil if there are none.
  var alsoChanged: ChangedTables?
  /// The total of changed rows that is accounted for.
  var countedChanges: Int64 = 0
  /// Collects what SQLite reports while it prepares a statement; nil if nobody asks.
  var reported: StatementTables?
  /// The tables that statements of the app read; nil if nobody asks.
  var observedTables: Set<String>?
  /// What the app's SQL has written; nil if nobody asks.
  var appWrites: AppWrites?
  /// Whose SQL is being prepared, and why it is refused; nil if it is not.
  var admission = AppSQL.own
  var refusal: AppSQL.Refusal?

  /// How many pages the log had after the last commit.
  var logPageCount: Int32 = 0

  /// The length of the log at which it is moved into the file.
  var nextMove = Connection.longLog

  /// The number that SQLite had for the file's content after our last commit; nil before it.
  var dataVersion: UInt32?

  /// Moves a long log beside the writer; nil for a connection that does not write.
  var mover: LogMover?

  /// The file of the writer; nil in memory, and for a connection that stands alone.
  var opened: OpenedFile?

  /// Whether the database is suspended; nil if it never is.
  var suspension: Suspension?

  /// Receives each statement; nil if no log takes statements.
  private var log: Evocation.Log?

  private var claim: OpenFiles.Claim?
  /// Why the connection is closed; nil while it is open.
  private var ending: (any Error)?
  private var statements: StatementCache
  private var interruption: Interruption?
  /// Whether the end of a transaction is running, which nothing may stop.
  private var isEnding = false
  /// Whether the running operation may wait for another process.
  private(set) var mayWait = true
  private var waitsSince: ContinuousClock.Instant?

  init(
    handle: OpaquePointer, file: String, isDamaged: Lock<Bool>, commits: CommitClock,
    claim: OpenFiles.Claim?, configuration: SQLiteDatabase.Configuration
  ) {
    self.handle = handle
    self.file = file
    self.isDamaged = isDamaged
    self.commits = commits
    self.claim = claim
    queue = DispatchQueue(label: "evocation.sqlite")
    self.configuration = configuration
    statements = StatementCache(capacity: configuration.statementCacheCapacity)
    sqlite3_busy_handler(handle, { Connection.of($0)?.waits(tries: $1) == true ? 1 : 0 }, context)
    sqlite3_progress_handler(
      handle, 1000, { Connection.of($0)?.shallEnd == true ? 1 : 0 }, context)
    sqlite3_wal_hook(
      handle,
      { context, _, _, pageCount in
        Connection.of(context)?.logPageCount = pageCount
        return SQLITE_OK
      }, context)
  }

  deinit { close() }

  /// Closes the file, once.
  ///
  /// Using the connection afterwards is an error.
  ///
  /// When the last connection closes, SQLite moves the log into the file, and removes it. A file
  /// that was refused, or in which damage was found, keeps its bytes and its log. An
  /// interrupted connection does not begin to move the log, and the file control keeps a log from
  /// which nothing is left to move. A test that compares bytes notices if this changes.
  func close(because ending: any Error = SQLiteError.closed) {
    guard self.ending == nil else { return }
    self.ending = ending
    mover = nil
    statements.finalizeAll()
    if !isOpen || isDamaged.withLock({ $0 }), logSize > 0 {
      var keepsLog: Int32 = 1
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
      sqlite3_interrupt(handle)
    }
    let isMoved = isOpen && opened?.isMoved(from: self) == true && movesWholeLog()
    sqlite3_close_v2(handle)
    if isMoved { opened?.removeLog() }
    claim = nil
  }

  /// Ends all statements, unless the connection is closed.
  func endStatements() {
    guard ending == nil else { return }
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      sqlite3_reset(statement)
      next = sqlite3_next_stmt(handle, statement)
    }
  }

  /// Writes each later statement to the log of the configuration as it ends, if the log takes
  /// statements.
  ///
  /// SQLite reports it, as the [documentation of
  /// `sqlite3_trace_v2`](https://www.sqlite.org/c3ref/trace_v2.html) describes.
  func logStatements() {
    log = configuration.log.taking(.sql)
    guard log != nil else { return }
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_PROFILE),
      { _, context, statement, nanoseconds in
        guard let connection = Connection.of(context), let statement, let nanoseconds,
          let text = sqlite3_sql(OpaquePointer(statement))
        else { return 0 }
        let time = nanoseconds.load(as: Int64.self)  // what SQLite passes with this event
        let (sql, database) = (String(cString: text), connection.file)
        connection.log?.add { _ in
          .statement(.init(sql: sql, database: database, duration: .nanoseconds(max(time, 0))))
        }
        return 0
      }, context)
  }

  /// Runs an operation that may wait for other connections.
  ///
  /// Canceling `interruption` stops it.
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
    return try running(body)
  }

  /// Runs `body` on another connection, and stops it there if this one's operation has to end.
  func lending(to other: Connection, _ body: (Connection) throws -> Void) throws {
    other.suspension = suspension
    guard let interruption else { return try other.running(body) }
    defer { interruption.attach(handle) }
    try other.run(interruption, body)
  }

  /// Runs an operation, which fails as busy if it would have to wait for another process.
  func runWithoutWaiting<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try withoutWaiting { try running(body) }
  }

  /// Runs a part of an operation, which fails as busy if it would have to wait for another process.
  func withoutWaiting<Value>(_ body: () throws -> Value) rethrows -> Value {
    let before = mayWait
    mayWait = false
    defer { mayWait = before }
    return try body()
  }

  /// Runs any operation on a thread that must not wait for this connection in the meantime.
  func running<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    thread.begin()
    defer { thread.end() }
    return try body(self)
  }

  /// Runs the end of a transaction, which a cancellation must not stop halfway.
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

  /// Throws if the operation's task was canceled, or the database is suspended.
  func checkCancellation() throws {
    if interruption?.isCancelled == true { throw CancellationError() }
    if isSuspended { throw SQLiteError.suspended }
  }

  /// Returns the statement of this text, prepared if it is new; the error names `action`.
  func statement(
    _ sql: String, _ action: @autoclosure () -> String = "Preparing a statement"
  ) throws -> Statement {
    if let known = idleStatement(sql) { return known }
    let statement = try prepare(sql, action)
    keep(statement, for: sql)
    return statement
  }

  /// Returns the prepared statement of this text; nil if there is none, or it is running.
  @inline(__always)
  func idleStatement(_ sql: String) -> Statement? {
    // Cleared, so that a failure here does not report the reason of an earlier one.
    errno = 0
    guard let known = statements.statement(sql), sqlite3_stmt_busy(known.handle) == 0 else {
      return nil
    }
    return known
  }

  /// Keeps a prepared statement for later calls with its text.
  func keep(_ statement: Statement, for sql: String) { statements.insert(statement, for: sql) }

  /// Moves to the next row; false if there is none.
  ///
  /// The error names `action` as what failed.
  func step(_ statement: Statement, _ action: @autoclosure () -> String) throws -> Bool {
    let code = sqlite3_step(statement.handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE {
      if totalChanges != countedChanges { recordChanges(of: statement) }
      return false
    }
    throw error(code, action())
  }

  /// Throws if `code` is the result of a failure.
  func check(_ code: Int32, _ action: @autoclosure () -> String) throws {
    if code != SQLITE_OK { throw error(code, action()) }
  }

  /// Creates the error for the result code that SQLite has just returned.
  func error(_ code: Int32, _ action: String) -> any Error {
    let isBusy = code & 0xFF == SQLITE_BUSY
    if code & 0xFF == SQLITE_INTERRUPT || isBusy, isSuspended, interruption?.isCancelled != true {
      return SQLiteError.suspended
    }
    // A canceled task stops waiting for another process, and SQLite calls that busy.
    if code & 0xFF == SQLITE_INTERRUPT || (isBusy && interruption?.isCancelled == true) {
      return CancellationError()
    }
    let error = SQLiteError(failureOf: handle, action, file: file)
    if error.code == .damaged || error.code == .notADatabase { isDamaged.withLock { $0 = true } }
    return error
  }

  /// Whether the running operation is on the connection's queue, and not on a caller's thread.
  var isOnQueue: Bool { interruption != nil }

  /// Whether the running operation must end because the database is suspended.
  private var isSuspended: Bool { !isEnding && suspension?.isOn == true }

  /// Returns a new statement of this text, which the connection does not keep.
  func prepare(_ sql: String, _ action: () -> String) throws -> Statement {
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

extension Connection: Equatable {
  static func == (left: Connection, right: Connection) -> Bool { left === right }
}

/// What SQLite asks a connection while one of its statements runs.
extension Connection {
  /// The address by which SQLite passes the connection to its callbacks.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether SQLite should retry an operation that another connection blocks.
  private func waits(tries: Int32) -> Bool {
    guard mayWait, interruption?.isCancelled != true, !isSuspended else { return false }
    let now = ContinuousClock.now
    let start = tries == 0 ? now : waitsSince ?? now
    waitsSince = start
    guard start.duration(to: now) < configuration.busyTimeout else { return false }
    Thread.sleep(forTimeInterval: tries < 10 ? 0.001 : 0.01)
    return true
  }

  /// Whether the running statement must end.
  ///
  /// It adds to `sqlite3_interrupt`, which has no effect between two statements, so that a
  /// cancellation there would be lost.
  var shallEnd: Bool { interruption?.isCancelled == true || isSuspended }
}
