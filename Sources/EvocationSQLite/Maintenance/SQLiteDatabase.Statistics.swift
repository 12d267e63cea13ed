extension SQLiteDatabase {
  /// How large a database is, and how well its statements are kept.
  public struct Statistics: Sendable, Hashable {
    /// The size of the file in bytes, without the log; zero in memory.
    public let fileSize: Int

    /// The size of the log beside it in bytes, which commits go to first.
    public let logSize: Int

    /// The size of a page in bytes.
    public let pageSize: Int

    /// How many pages the data takes, the free ones included, whether they are in the file or the log.
    public let pageCount: Int

    /// How many pages are free to be used again.
    public let freePageCount: Int

    /// The names of the tables, sorted, without those of SQLite and of this library.
    public let tables: [String]

    /// How often a statement was prepared already when it was wanted.
    public let statementHitCount: Int

    /// How often a statement had to be prepared.
    public let statementMissCount: Int
  }
}
