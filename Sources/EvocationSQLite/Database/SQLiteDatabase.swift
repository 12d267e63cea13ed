internal import Evocation

/// A database file with one connection that writes and several that read.
///
/// ```swift
/// let database = try SQLiteDatabase(path: path)
/// let cars = try SQLiteRepository<Car>(database)
/// ```
///
/// The file is in WAL mode: readers never wait for the writer, and each sees one state of the data.
/// A database in memory has one connection for both. Make one `SQLiteDatabase` for each file in a
/// process and share it; it is safe to use from any thread, and closes its connections when it is
/// released.
///
/// ## Execution
///
/// Operations bounded by a key, such as finding one model by its id, run on the caller's thread.
/// Longer ones, ``read(_:)`` and ``write(_:)`` included, run on the connection's queue, so that
/// neither other tasks nor the main thread wait for them. Cancelling the task interrupts the
/// running statement, undoes the transaction and throws `CancellationError`.
///
/// A call sees everything that was committed before it began, also by other processes where
/// ``Configuration/sharing`` allows them.
///
/// ## Care
///
/// ``backup(to:replacing:progress:)`` copies the database while it is used, ``check(_:)`` looks for
/// damage, ``checkpoint(_:)`` moves the log into the file, ``vacuum()`` shrinks it, and ``statistics()``
/// gives sizes.
///
/// ## Errors
///
/// ``SQLiteError`` says what is wrong with a file: a folder, not a database, damaged, not writable.
/// A file that is refused is not changed, and neither is a log beside it. Where damage is found
/// later, closing leaves the file as it is.
public final class SQLiteDatabase: Sendable {
  /// The path of the file as it was given; nil for a database in memory.
  public let path: String?

  /// The absolute path of the file.
  let location: String?

  let sharing: Configuration.Sharing
  let leavesMainThread: Bool

  // Before the writer, so that it closes last and leaves no log behind.
  let readers: ConnectionPool?
  let mover: LogMover?
  let writer: ConnectionPool
  /// The thread that has the writer.
  let writerThread: RunningThread
  let suspension = Suspension()
  let tables: Lock<TableRegistry>
  let watch: ChangeWatch

  /// The observers of changes of the ledger by others.
  let others = ChangeHub<Never>()

  /// The observers of the entries of its repositories.
  let queueObservers = Notifier()

  /// What the writer knows of the entries of the outbox.
  let entryIndex = Lock(EntryIndex())

  /// The numbers of its commits.
  let commits = CommitClock()
  let statementCounts = DatabaseStatementCounts()

  /// The places of streams.
  let streams = StreamPlaces()

  /// Opens the file, or makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose folder must exist. A text that begins with `file:` is
  ///     taken for a path as well, not for a URL. A relative path begins at the process's current
  ///     folder.
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
    leavesMainThread = configuration.leavesMainThread
    let (counts, isDamaged, commits) = (statementCounts, Lock(false), commits)
    let suspension = suspension
    let open = { @Sendable (role: Connection.Role) throws in
      let connection = try Connection.open(
        database, role, configuration, isDamaged, commits: commits)
      connection.suspension = suspension
      counts.follow(connection)
      return connection
    }
    let writer = ConnectionPool(capacity: 1) { try open(.writer) }
    self.writer = writer
    let readers = path.map { _ in
      ConnectionPool(capacity: configuration.maximumReaderCount) { try open(.reader) }
    }
    self.readers = readers
    mover = path.map { _ in LogMover { try open(.mover) } }
    if let database { try Connection.lookAtLog(of: database, configuration, commits) }
    var file: String?
    var thread = RunningThread()
    if let connection = try writer.takeNow() {
      defer { writer.giveBack(connection) }
      thread = connection.thread
      if try connection.hasFormerOutbox() {
        try connection.transaction { try EntryTables.upgrade($0) }
      }
      if let database {
        try SignOutRecovery(file: database, configuration: configuration).finish(connection)
      }
      connection.mover = mover
      if sharing == .severalProcesses { file = connection.resolvedPath }
      // An idle reader's snapshot keeps the log from starting over.
      if sharing == .oneProcess { connection.onWait = { [weak readers] in readers?.letGoIdle() } }
    }
    writerThread = thread
    var registry = TableRegistry()
    // No model's table has this name: those that the library uses are refused.
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
  /// The log is then in the file, so that a copy of that file has everything, unless another
  /// process has it open, or damage was found. Calls that run, backups too, are finished first;
  /// cancel their tasks to close sooner. Later calls, and those that still wait for their turn,
  /// throw ``SQLiteError`` with the code `closed`, and so do streams after what they have read
  /// already.
  ///
  /// Closing twice, or at the same time, waits for the same end. Within ``read(_:)``, ``write(_:)``
  /// or an observer's handler do not wait for it, because it waits for them; start it in a task.
  public func close() async {
    watch.close()
    streams.close()
    // Before the writer, because the last to close moves the log, and readers cannot.
    await readers?.close()
    await mover?.close()
    await writer.close()
    await watch.ended()
  }

  /// The pool that reads go to.
  var reader: ConnectionPool { readers ?? writer }
}
