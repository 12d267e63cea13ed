public import Evocation

extension SQLiteDatabase {
  /// How to open a database.
  ///
  /// ```swift
  /// var configuration = SQLiteDatabase.Configuration()
  /// configuration.synchronous = .full
  /// let database = try SQLiteDatabase(path: path, configuration: configuration)
  /// ```
  public struct Configuration: Sendable, Hashable {
    /// When a commit is on the disk; `normal` by default.
    public var synchronous: Synchronous

    /// How long a call waits for a lock of another process; five seconds by default.
    ///
    /// The same applies to another `SQLiteDatabase` of the file in this process.
    public var busyTimeout: Duration

    /// Whether SQLite enforces foreign keys; true by default.
    public var enforcesForeignKeys: Bool

    /// Whether the database only reads its file, such as one in the app's bundle; false by default.
    ///
    /// ```swift
    /// configuration.isReadOnly = true
    /// ```
    ///
    /// The file must exist, and needs no rights to write. Repositories and your SQL read it, and all
    /// writes throw ``SQLiteError`` with the code `readOnly`. Signing out leaves the file as it is.
    /// In a folder that cannot be written, Evocation creates no file beside it, and takes for granted
    /// that nobody changes it. Elsewhere another process may write the file, so SQLite creates the
    /// files of its log there.
    public var isReadOnly: Bool

    /// The maximum number of connections that read at the same time; four by default, at least one.
    public var maximumReaderCount: Int

    /// The number of prepared statements that a connection keeps; 128 by default.
    public var statementCacheCapacity: Int

    /// The bytes of pages that a connection keeps in memory; eight MiB by default.
    ///
    /// The writing connection and each reading connection may keep this much. With four readers,
    /// the total is up to five times as much. A connection of a stream keeps one MiB at most. Use a
    /// smaller size in an app's extension.
    public var pageCacheSize: Int

    /// The SQL statements to run on each connection as it opens, before any other; none by default.
    ///
    /// ```swift
    /// configuration.connectionStatements = ["PRAGMA temp_store = MEMORY"]
    /// ```
    ///
    /// Evocation runs them in their order on the connection that writes, on each that reads, on the
    /// one that moves the log into the file, on those that make a backup, and on those that collect
    /// the pages of a list. If your app links SQLCipher, put `PRAGMA key` first. SQLite ignores a
    /// pragma that it does not know, but Evocation throws. Errors name statements by their numbers,
    /// and contain nothing of their text. A printed configuration does not contain it either.
    public var connectionStatements: [String]

    /// When the system can decrypt the file; nil for the system's default.
    public var fileProtection: FileProtection?

    /// Whether calls on one model leave the main thread; false by default.
    ///
    /// A call by id on one model takes a few microseconds, which is less than a change of threads.
    /// It therefore runs on the caller's thread, which may be the main thread, and so does its
    /// commit. Every other call runs on the database's own threads. Turn this on if your app must
    /// never read or write a file on the main thread, or if commits are slow, as with
    /// ``Synchronous/full``.
    public var leavesMainThread: Bool

    /// The log that each statement is written to as it ends; off by default.
    ///
    /// The log's levels decide whether a statement is written. The entry has the text of the
    /// statement, without its bound values.
    public var log: Evocation.Log

    /// Creates a configuration.
    public init(
      synchronous: Synchronous = .normal,
      busyTimeout: Duration = .seconds(5),
      enforcesForeignKeys: Bool = true,
      isReadOnly: Bool = false,
      maximumReaderCount: Int = 4,
      statementCacheCapacity: Int = 128,
      pageCacheSize: Int = 8 << 20,
      connectionStatements: [String] = [],
      fileProtection: FileProtection? = nil,
      leavesMainThread: Bool = false,
      log: Evocation.Log = .off
    ) {
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      self.enforcesForeignKeys = enforcesForeignKeys
      self.isReadOnly = isReadOnly
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
  /// The printed properties: all but the log and the text of the statements, which may hold a key.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "synchronous": synchronous, "busyTimeout": busyTimeout,
        "enforcesForeignKeys": enforcesForeignKeys, "isReadOnly": isReadOnly,
        "maximumReaderCount": maximumReaderCount,
        "statementCacheCapacity": statementCacheCapacity, "pageCacheSize": pageCacheSize,
        "connectionStatementCount": connectionStatements.count,
        "fileProtection": fileProtection as Any, "leavesMainThread": leavesMainThread,
      ], displayStyle: .struct)
  }
}
