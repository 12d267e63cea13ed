internal import CEvocationSQLite
internal import Evocation
internal import Foundation

extension Connection {
  /// The purpose of a connection.
  enum Role {
    case writer, reader
    /// Stands in the place of the writer for a file that is only read.
    case viewer
    /// Writes nothing, and moves the log into the file.
    case mover
    /// Looks at an existing file, to see if it must be written.
    case visitor
  }

  /// Opens a file, or a database in memory without one.
  ///
  /// If it throws, the file and its log stay unchanged.
  static func open(
    _ file: DatabaseFile?, _ role: Role, configuration: SQLiteDatabase.Configuration,
    isDamaged: Lock<Bool> = Lock(false), commits: CommitClock = CommitClock(),
    opened: OpenedFile? = nil
  ) throws -> Connection {
    // Before, because SQLite would put the log of the opened file to another one.
    try opened?.check(opening)
    let access =
      switch role {
      case .writer: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .reader, .viewer: SQLITE_OPEN_READONLY
      case .mover, .visitor: SQLITE_OPEN_READWRITE
      }
    let connection = try connect(
      file, access, configuration: configuration, isDamaged: isDamaged, commits: commits)
    do {
      try connection.look()
      switch role {
      case .writer:
        // The check runs before the journal mode, which is written into the file.
        try connection.checkFile()
        try connection.beginLog()
        try connection.followSynchronous()
      case .mover: try connection.followSynchronous()
      case .visitor, .viewer: try connection.checkFile()
      case .reader: break
      }
      try SQLFunctions.add(to: connection.handle) { try connection.check($0, opening) }
      if role == .writer || role == .viewer {
        try opened?.begin(connection)
      } else {
        try opened?.check(opening)
      }
    } catch let error as SQLiteError where error.code == .busy {
      throw connection.isTaken(error)
    }
    connection.isOpen = true
    connection.opened = opened
    return connection
  }

  /// Checks a file whose log no connection has open, before SQLite creates another file beside it.
  static func lookAtLog(
    of file: DatabaseFile, _ configuration: SQLiteDatabase.Configuration, commits: CommitClock
  ) throws {
    let path = file.resolved
    guard FileManager.default.size(path) > 0, FileManager.default.size(path + "-wal") > 0,
      !FileManager.default.fileExists(atPath: path + "-shm")
    else { return }
    do {
      let connection = try connect(
        file, SQLITE_OPEN_READWRITE, configuration: configuration, isDamaged: Lock(false),
        commits: commits)
      try connection.runWithoutWaiting { connection in
        // With this mode, SQLite creates no shared index of the log.
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE", opening)
        try connection.look()
        try connection.checkFile()
      }
    } catch let error as SQLiteError where error.code == .busy {
      // Another connection opened the file in the meantime, and has created the index.
    }
  }

  private static var opening: String { "Opening the database" }

  /// Opens a file that nobody has looked at yet, and runs the app's statements.
  static func connect(
    _ file: DatabaseFile?, _ access: Int32, configuration: SQLiteDatabase.Configuration,
    isDamaged: Lock<Bool>, commits: CommitClock
  ) throws -> Connection {
    let action = file?.action ?? opening
    try file?.check()
    let isFixed = try configuration.isReadOnly && file?.isFixed() == true
    let claim = try file?.claim(configuration)
    var handle: OpaquePointer?
    errno = 0
    let code = sqlite3_open_v2(
      (isFixed ? file?.fixedURL : file?.path) ?? ":memory:", &handle,
      access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (isFixed ? SQLITE_OPEN_URI : 0)
        | DatabaseFile.openFlag(configuration.fileProtection), nil)
    let number = errno
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      guard let file, handle != nil else {
        throw SQLiteError(code, action, file: "memory", message: "there is not enough memory")
      }
      throw file.refusal(code, number, creates: access & SQLITE_OPEN_CREATE != 0)
    }
    let connection = Connection(
      handle: handle, file: file?.name ?? "memory", isDamaged: isDamaged, commits: commits,
      claim: claim, configuration: configuration)
    if access != SQLITE_OPEN_READONLY, sqlite3_db_readonly(handle, "main") == 1 {
      // If SQLite cannot open a file for writing, it opens it for reading, whatever the reason.
      if let failure = SystemFailure(number) {
        throw SQLiteError(failure, action, resultCode: SQLITE_READONLY, file: connection.file)
      }
      throw SQLiteError(SQLITE_READONLY, action, file: connection.file, message: "")
    }
    try connection.refuseNamesForText(action)
    try connection.runConnectionStatements(action)
    connection.reportTables()
    return connection
  }

  /// Creates the error for a file that another process has open in a way that excludes this
  /// process.
  private func isTaken(_ error: SQLiteError) -> SQLiteError {
    SQLiteError(
      .busy,
      "\(Self.opening) in \(file) failed: another process uses it alone; close it there, and try "
        + "again.", resultCode: error.resultCode)
  }

  /// Prepares the connection for reading, and checks that the file is a database.
  private func look() throws {
    let action = Self.opening
    // The app's connection statements run before this, because they may contain a key.
    logStatements()
    try execute("PRAGMA cache_size = -\(max(1, configuration.pageCacheSize / 1024))", action)
    try execute("PRAGMA foreign_keys = \(configuration.enforcesForeignKeys ? 1 : 0)", action)
    // Finds damage when a page is read, not only when its rows are.
    try execute("PRAGMA cell_size_check = 1", action)
    // Reads the first page, so that a file that is no database is detected before a write.
    try execute("SELECT count(*) FROM sqlite_schema", action)
  }

  /// Throws for a file that must not be written.
  private func checkFile() throws {
    if resolvedPath != nil { try checkSize() }
    try checkFormat()
  }

  private func followSynchronous() throws {
    try execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)", Self.opening)
    guard configuration.synchronous == .full else { return }
    // On Apple's systems, `fsync` leaves written bytes in the drive's cache.
    try execute("PRAGMA fullfsync = 1", Self.opening)
    try execute("PRAGMA checkpoint_fullfsync = 1", Self.opening)
  }

  /// Makes commits go to a log, and records that in the file, so that no reader waits for them.
  ///
  /// If two processes create a file at the same time, SQLite refuses the second one immediately,
  /// whatever the busy timeout. This method therefore tries again.
  private func beginLog() throws {
    let start = ContinuousClock.now
    var mode = try journalMode("PRAGMA journal_mode")
    while mode != .text("wal") {
      do {
        mode = try journalMode("PRAGMA journal_mode = WAL")
        break
      } catch let error as SQLiteError
        where error.code == .busy && start.duration(to: .now) < configuration.busyTimeout
      {
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
    guard resolvedPath == nil || mode == .text("wal") else {
      throw SQLiteError(
        .cannotOpen,
        "\(Self.opening) in \(file) failed: the log of the file needs shared memory, which its "
          + "disk does not support; move it to a disk of this device.")
    }
    // The commit that starts the log over cuts it back, if one large transaction made it long.
    try execute("PRAGMA journal_size_limit = \(Self.keptLogSize)", Self.opening)
  }

  /// The bytes of the log's file that stay for reuse: about twice its usual size.
  private static var keptLogSize: Int { 8 << 20 }

  private func journalMode(_ sql: String) throws -> SQLValue? {
    var mode: SQLValue?
    try rows(sql, [], action: Self.opening) { statement in
      mode = statement.value(at: 0)
      return false
    }
    return mode
  }

  /// Throws for a file whose last page was cut off, because SQLite would read the missing bytes as
  /// zeros.
  private func checkSize() throws {
    try snapshot { connection in
      guard case .integer(let count)? = try connection.first("PRAGMA page_count"),
        case .integer(let size)? = try connection.first("PRAGMA page_size"),
        // The missing bytes may be in the log.
        connection.logSize == 0, connection.fileSize < Int(count * size)
      else { return }
      throw SQLiteError(SQLITE_CORRUPT, Self.opening, file: file, message: "")
    }
  }
}
