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
/// A connection that found models by key may keep the state that it read, as long as nobody commits
/// and for 50 milliseconds at most, which saves the file locks of the next such call. A call sees
/// whatever was committed before it began, by other processes too.
///
/// ## Care
///
/// ``backup(to:replacing:progress:)`` copies the database while it is used, ``check(_:)`` looks for
/// damage, ``checkpoint(_:)`` moves the log into the file, and ``statistics()`` tells sizes.
///
/// ## Errors
///
/// ``SQLiteError`` says what is wrong with a file: a folder, no database, damaged, not writable. A
/// file that is refused is left as it was.
public final class SQLiteDatabase: Sendable {
  /// Where the file is, or nil for a database in memory.
  public let path: String?

  // Before the writer, so that it closes last and leaves no log behind.
  let readers: ConnectionPool?
  let writer: ConnectionPool
  let tables: Lock<TableRegistry>
  let watch: ChangeWatch
  let statementCounts = Lock<[StatementCounts]>([])

  /// Opens the file, or makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: The file's path; its folder has to be there.
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
    self.path = path
    let counts = statementCounts
    let open = { @Sendable (role: Connection.Role) throws in
      let connection = try Connection.open(path: path, role, configuration)
      counts.withLock { $0.append(connection.counts) }
      return connection
    }
    let writer = ConnectionPool(capacity: 1) { try open(.writer) }
    self.writer = writer
    readers = path.map { _ in
      ConnectionPool(capacity: configuration.maximumReaderCount) { try open(.reader) }
    }
    if let path { try Connection.checkFormatOfLog(path: path, configuration) }
    var file: String?
    if let connection = try writer.takeNow() {
      defer { writer.giveBack(connection) }
      file = connection.resolvedPath
    }
    tables = Lock(TableRegistry())
    watch = ChangeWatch(file: file, writer, tables)
  }

  /// Refuses further calls, waits for those that run, and closes the file.
  ///
  /// Calls that come later throw ``SQLiteError`` with the code `closed`. Closing twice does nothing.
  public func close() async {
    watch.close()
    await readers?.close()
    await writer.close()
  }

  /// The pool that reads go to.
  var reader: ConnectionPool { readers ?? writer }
}
