extension SQLiteDatabase {
  /// How far a backup has come.
  public struct BackupProgress: Sendable, Hashable {
    /// How many pages are in the backup.
    public let copiedPageCount: Int

    /// How many pages there are to copy.
    public let pageCount: Int
  }
}
