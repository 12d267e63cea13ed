public import Evocation

/// A database file with one connection that writes and several that read.
///
/// ```swift
/// let database = try SQLiteDatabase(path: path)
/// let cars = try SQLiteRepository<Car>(database)
/// ```
///
/// The file is in WAL mode: readers never wait for the writer, and each read sees one state of the
/// data. A database in memory has one connection for both. Create one `SQLiteDatabase` per file in
/// a process, and share it. You can use it from any thread. It closes its connections when it is
/// released.
///
/// ## Execution
///
/// Operations bounded by a key, such as finding one model by its id, run on the caller's thread.
/// Longer ones, which include ``read(_:)`` and ``write(_:)``, run on the connection's queue, so
/// that neither other tasks nor the main thread wait for them. If you cancel the task, SQLite
/// interrupts the running statement, the transaction is undone, and the call throws
/// `CancellationError`.
///
/// A call sees everything that was committed before it began. This includes the commits of other
/// processes.
///
/// ## Care
///
/// ``backup(to:)`` copies the database while it is in use, ``check(_:)`` looks for damage,
/// ``checkpoint(_:)`` moves the log into the file, and ``vacuum()`` shrinks the file.
///
/// ## Errors
///
/// ``SQLiteError`` states the problem with a file: it is a folder, it is not a database, it is
/// damaged, or it is not writable. If Evocation refuses to open a file, it does not change the file
/// or a log beside it. If it finds damage later, closing leaves the file unchanged.
public final class SQLiteDatabase: Sendable, RepositoryStore {
  /// The path of the file as you passed it; nil for a database in memory.
  public let path: String?

  /// The absolute path of the file; nil for a database in memory.
  let location: String?

  /// Whether a sign-out of several files was cut short, as far as this one knew when it was opened.
  package let hasUnfinishedSignOuts: Bool

  let leavesMainThread: Bool

  /// Whether the file is only read; the writer's connection then only reads, too.
  let isReadOnly: Bool

  // Declared before the writer, so that the writer closes last and leaves no log behind.
  let readers: ConnectionPool?
  /// The connections of streams, so that streams that were read halfway never keep a read waiting.
  let streams: ConnectionPool?
  let mover: LogMover?
  let writer: ConnectionPool
  /// The thread that holds the writer.
  let writerThread: RunningThread
  let suspension = Suspension()
  let tables: Lock<TableRegistry>
  let watch: ChangeWatch

  /// Reports unknown changes, as by other processes, to observers of the ledger and the outbox.
  let others = ChangeHub<Never>()

  /// Notified when the database is resumed, or closed.
  let turns = Broadcast<Void>()

  /// The observers of the outbox entries of its repositories.
  let queueObservers = Broadcast<Void>()

  /// The writer's knowledge of the entries of the outbox.
  let entryIndex = Lock(EntryIndex())

  /// Numbers the commits.
  let commits = CommitClock()

  /// Opens the file, or creates it if there is none.
  ///
  /// - Parameters:
  ///   - path: The path of the file, whose folder must exist. It is always a path, never a URL,
  ///     even if it begins with `file:`. A relative path starts at the process's current folder.
  ///   - configuration: How to open the file.
  /// - Throws: ``SQLiteError``.
  public convenience init(path: String, configuration: Configuration = .init()) throws {
    try self.init(at: path, configuration)
  }

  /// Creates an empty database in memory, which exists for as long as this object.
  ///
  /// - Parameter configuration: How to open the database.
  /// - Returns: The database.
  /// - Throws: ``SQLiteError``.
  public static func inMemory(configuration: Configuration = .init()) throws -> SQLiteDatabase {
    try SQLiteDatabase(at: nil, configuration)
  }

  /// Opens a file in a simulation of many devices, in which each of them would take a thread to look
  /// for commits of others, and the order of its steps would depend on these threads.
  package convenience init(unwatched path: String, _ configuration: Configuration) throws {
    try self.init(at: path, configuration, isWatched: false)
  }

  private init(at path: String?, _ configuration: Configuration, isWatched: Bool = true) throws {
    let database = try path.map(DatabaseFile.init)
    let isReadOnly = configuration.isReadOnly
    guard database != nil || !isReadOnly else { throw SQLiteError.nothingToRead }
    self.isReadOnly = isReadOnly
    self.path = path
    self.location = database?.path
    leavesMainThread = configuration.leavesMainThread
    let (isDamaged, commits) = (Lock(false), commits)
    let (suspension, opened) = (suspension, database.map { OpenedFile($0) })
    let open = { @Sendable (role: Connection.Role) throws in
      let connection = try Connection.open(
        database, role, configuration: configuration, isDamaged: isDamaged, commits: commits,
        opened: opened)
      connection.suspension = suspension
      return connection
    }
    let writer = ConnectionPool(capacity: 1) { try isReadOnly ? open(.viewer) : open(.writer) }
    self.writer = writer
    let readers = path.map { _ in
      ConnectionPool(capacity: configuration.maximumReaderCount) { try open(.reader) }
    }
    self.readers = readers
    streams = path.map { _ in ConnectionPool(capacity: 32, isForLong: true) { try open(.reader) } }
    mover = path.flatMap { _ in isReadOnly ? nil : LogMover(commits) { try open(.mover) } }
    if let database, !isReadOnly {
      try Connection.lookAtLog(of: database, configuration, commits: commits)
    }
    let connection = try writer.takeBlocking()
    defer { writer.giveBack(connection) }
    writerThread = connection.thread
    if !isReadOnly { try connection.rewriteNamesAsText() }
    hasUnfinishedSignOuts = try SignOutTable(connection).recover()
    connection.mover = mover
    var registry = TableRegistry()
    // No model's table has this name, because repositories refuse names that the library uses.
    _ = registry.register(others, of: "evocation_fetches")
    tables = Lock(registry)
    watch = ChangeWatch(
      writer, tables: tables, commits: commits, log: isWatched ? connection.logPath : nil)
  }

  /// Refuses further calls, waits for running ones, and returns when the file is closed.
  ///
  /// ```swift
  /// await database.close()
  /// try FileManager.default.copyItem(atPath: path, toPath: copy)
  /// ```
  ///
  /// The log is then in the file, so a copy of the file is complete. The exceptions are a file that
  /// another process has open, and a file in which damage was found. Running calls, backups
  /// included, finish first. To close sooner, cancel their tasks. Later calls, and calls that still
  /// wait for their turn, throw ``SQLiteError`` with the code `closed`. Streams throw it too, after
  /// the models that they have already read.
  ///
  /// If you close twice, or at the same time, each call waits for the same end. Do not await this
  /// method inside ``read(_:)``, ``write(_:)`` or an observer's handler, because it waits for them.
  /// Start it in a task instead.
  public func close() async {
    watch.close()
    await streams?.close()
    // The readers close before the writer: the last connection to close moves the log into the
    // file, and readers cannot do that.
    await readers?.close()
    mover?.close()
    await writer.close()
    turns.tell()
  }

  /// The name of the file in sentences.
  var fileName: String { path.map { "\"\($0)\"" } ?? "memory" }

  /// The pool for reads.
  var reader: ConnectionPool { readers ?? writer }
}
