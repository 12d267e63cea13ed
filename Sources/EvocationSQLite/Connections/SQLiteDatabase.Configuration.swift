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
    public var pageCacheSize: Int

    /// Makes a configuration.
    public init(
      sharing: Sharing = .severalProcesses,
      synchronous: Synchronous = .normal,
      busyTimeout: Duration = .seconds(5),
      enforcesForeignKeys: Bool = true,
      maximumReaderCount: Int = 4,
      statementCacheCapacity: Int = 128,
      pageCacheSize: Int = 8 << 20
    ) {
      self.sharing = sharing
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      self.enforcesForeignKeys = enforcesForeignKeys
      self.maximumReaderCount = maximumReaderCount
      self.statementCacheCapacity = statementCacheCapacity
      self.pageCacheSize = pageCacheSize
    }
  }
}
