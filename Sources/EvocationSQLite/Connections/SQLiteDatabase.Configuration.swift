public import Evocation

extension SQLiteDatabase {
  /// How a database is opened.
  ///
  /// ```swift
  /// var configuration = SQLiteDatabase.Configuration()
  /// configuration.synchronous = .full
  /// let database = try SQLiteDatabase(path: path, configuration: configuration)
  /// ```
  public struct Configuration: Sendable, Hashable {
    /// Who else may have the file open; `severalProcesses` unless told otherwise.
    public var sharing: Sharing

    /// When a commit is on the disk; `normal` unless told otherwise.
    public var synchronous: Synchronous

    /// How long a write waits for another process's, five seconds unless told otherwise.
    public var busyTimeout: Duration

    /// Whether foreign keys are enforced, as they are unless told otherwise.
    public var enforcesForeignKeys: Bool

    /// How many connections read side by side at most, four unless told otherwise; at least one.
    public var maximumReaderCount: Int

    /// How many prepared statements a connection keeps, 128 unless told otherwise.
    public var statementCacheCapacity: Int

    /// How many bytes of pages a connection keeps in memory, eight MiB unless told otherwise.
    ///
    /// The connection that writes and each that reads may come to keep as many, so that it is up to five
    /// times as much with four readers; a stream's keeps one MiB at most. Take less in an app's extension.
    public var pageCacheSize: Int

    /// SQL that is run on each connection as it opens, before anything else; none unless told otherwise.
    ///
    /// ```swift
    /// configuration.connectionStatements = ["PRAGMA temp_store = MEMORY"]
    /// ```
    ///
    /// They are run one after another on the connection that writes, on each that reads, on the one that
    /// moves the log into the file, and on the one that a backup is written with; so a `PRAGMA key` comes first where the app links SQLCipher. A pragma
    /// that the linked SQLite does not know is refused, which SQLite itself would ignore. Errors name
    /// statements by their numbers, and hold nothing of their text; neither does this when it is printed.
    public var connectionStatements: [String]

    /// When the system can decrypt the file; nil for what it does by itself.
    public var fileProtection: FileProtection?

    /// Whether calls on one model leave the main thread; false by default.
    ///
    /// A call by id on one model takes a few microseconds, less than a change of threads, so it runs on
    /// the thread of its caller, which may be the main thread; so does its commit. Every other call runs on
    /// the database's own threads. Turn this on where your app must never read or write a file on the main
    /// thread, or where commits are slow, as under ``Synchronous/full``.
    public var leavesMainThread: Bool

    /// Where each statement is written as it ends, where the log's levels say so; nowhere by default.
    ///
    /// It is told by its text, without the values that are bound to it.
    public var log: Evocation.Log

    /// Makes a configuration.
    public init(
      sharing: Sharing = .severalProcesses,
      synchronous: Synchronous = .normal,
      busyTimeout: Duration = .seconds(5),
      enforcesForeignKeys: Bool = true,
      maximumReaderCount: Int = 4,
      statementCacheCapacity: Int = 128,
      pageCacheSize: Int = 8 << 20,
      connectionStatements: [String] = [],
      fileProtection: FileProtection? = nil,
      leavesMainThread: Bool = false,
      log: Evocation.Log = .off
    ) {
      self.sharing = sharing
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      self.enforcesForeignKeys = enforcesForeignKeys
      self.maximumReaderCount = maximumReaderCount
      self.statementCacheCapacity = statementCacheCapacity
      self.pageCacheSize = pageCacheSize
      self.connectionStatements = connectionStatements
      self.fileProtection = fileProtection
      self.leavesMainThread = leavesMainThread
      self.log = log
    }
  }
}

extension SQLiteDatabase.Configuration: CustomReflectable {
  /// What is printed: everything but the text of the statements, which may hold a key.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "sharing": sharing, "synchronous": synchronous, "busyTimeout": busyTimeout,
        "enforcesForeignKeys": enforcesForeignKeys, "maximumReaderCount": maximumReaderCount,
        "statementCacheCapacity": statementCacheCapacity, "pageCacheSize": pageCacheSize,
        "connectionStatementCount": connectionStatements.count,
        "fileProtection": fileProtection as Any, "leavesMainThread": leavesMainThread,
      ], displayStyle: .struct)
  }
}
