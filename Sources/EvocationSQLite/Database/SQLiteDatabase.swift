internal import Evocation

/// A database file with one connection that writes and several that read.
///
/// ```swift
/// let database = try SQLiteDatabase(path: path)
/// let cars = try SQLiteRepository<Car>(database)
/// ```
///
/// The file is in WAL mode: readers never wait for the writer, and each sees one state of the data.
/// A database in memory has one connection for both. Make one `SQLiteDatabase` a file and process
/// and share it; it is safe to use from any thread, and closes its connections when it is let go.
///
/// ## Execution
///
/// Operations bounded by a key, such as finding one model by its id, run on the caller's thread.
/// Whatever may be long, ``read(_:)`` and ``write(_:)`` included, runs on a queue of the
/// connection's own, so that no other task and no main thread waits for it. Cancelling the task
/// interrupts the running statement, takes the transaction back and throws `CancellationError`.
///
/// A call sees whatever was committed before it began, by other processes too, as long as
/// ``Configuration/sharing`` lets them have the file open.
///
/// ## Care
///
/// ``backup(to:replacing:progress:)`` copies the database while it is used, ``check(_:)`` looks for
/// damage, ``checkpoint(_:)`` moves the log into the file, and ``statistics()`` tells sizes.
///
/// ## Errors
///
/// ``SQLiteError`` says what is wrong with a file: a folder, no database, damaged, not writable. A
/// file that is refused is left as it was, byte for byte, and so is a log beside it. One in which damage
/// is found later is left as it is when it is closed.
public final class SQLiteDatabase: Sendable {
  /// Where the file is, as it was given, or nil for a database in memory.
  public let path: String?

  /// The same from the root on.
  let location: String?

  let sharing: Configuration.Sharing

  // Before the writer, so that it closes last and leaves no log behind.
  let readers: ConnectionPool?
  let writer: ConnectionPool
  let tables: Lock<TableRegistry>
  let watch: ChangeWatch

  /// Who wants to know that others may have changed the ledger.
  let others = ChangeHub<Never>()

  /// The numbers of its commits.
  let commits = CommitClock()
  let statementCounts = Lock<[StatementCounts]>([])

  /// Opens the file, or makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: The file's path, and no address: what begins with `file:` is a path too. Its folder has
  ///     to be there. Where it does not begin with `/`, the present folder of the process counts.
  ///   - configuration: How it is opened.
  /// - Throws: ``SQLiteError``.
  public convenience init(path: String, configuration: Configuration = .init()) throws {
    try self.init(at: path, configuration)
  }

  /// Makes an empty database that lives in memory, and as long as this object.
  ///
  /// - Throws: ``SQLiteError``.
  public static func inMemory(configuration: Configuration = .init()) throws -> SQLiteDatabase {
    try SQLiteDatabase(at: nil, configuration)
  }

  private init(at path: String?, _ configuration: Configuration) throws {
    let database = try path.map(DatabaseFile.init)
    self.path = path
    self.location = database?.path
    sharing = configuration.sharing
    let (counts, isDamaged, commits) = (statementCounts, Lock(false), commits)
    let open = { @Sendable (role: Connection.Role) throws in
      let connection = try Connection.open(
        database, role, configuration, isDamaged, commits: commits)
      counts.withLock { $0.append(connection.counts) }
      return connection
    }
    let writer = ConnectionPool(capacity: 1) { try open(.writer) }
    self.writer = writer
    let readers = path.map { _ in
      ConnectionPool(capacity: configuration.maximumReaderCount) { try open(.reader) }
    }
    self.readers = readers
    if let database { try Connection.lookAtLog(of: database, configuration, commits) }
    var file: String?
    if let connection = try writer.takeNow() {
      defer { writer.giveBack(connection) }
      if sharing == .severalProcesses { file = connection.resolvedPath }
      // A snapshot that nobody reads keeps the log from being begun anew.
      if sharing == .oneProcess { connection.onWait = { [weak readers] in readers?.letGoIdle() } }
    }
    var registry = TableRegistry()
    // No table of a model has this name, because those of the library's own are refused.
    registry["evocation_fetches"] = others
    tables = Lock(registry)
    watch = ChangeWatch(file: file, writer, tables, commits)
  }

  /// Refuses further calls, waits for those that run, and returns when the file is closed.
  ///
  /// ```swift
  /// await database.close()
  /// try FileManager.default.copyItem(atPath: path, toPath: copy)
  /// ```
  ///
  /// The log is moved into the file then, so that a copy of the one file has everything, as long as
  /// nobody else has it open, and no damage was found. What runs is finished first, a backup too; cancel the tasks for it to
  /// take less long. Calls that come later, or have not got their turn, throw ``SQLiteError`` with the
  /// code `closed`, and so do streams after what they have read already.
  ///
  /// Whoever closes twice, or at the same time, waits for the same end. From within ``read(_:)``,
  /// ``write(_:)`` or an observer's handler it may be started in a task, but not waited for: it
  /// waits for them.
  public func close() async {
    watch.close()
    // Before the writer, because whoever closes last moves the log, and only the writer can.
    await readers?.close()
    await writer.close()
    await watch.ended()
  }

  /// The pool that reads go to.
  var reader: ConnectionPool { readers ?? writer }
}
