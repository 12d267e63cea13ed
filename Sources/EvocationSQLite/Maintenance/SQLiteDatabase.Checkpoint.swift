extension SQLiteDatabase {
  /// What a checkpoint moved from the log into the file.
  public struct Checkpoint: Sendable, Hashable {
    /// How many pages the log had.
    public let logPageCount: Int

    /// How many of them are in the file now, those included that were moved earlier.
    public let movedPageCount: Int

    /// Whether all of the log is in the file.
    public var isComplete: Bool { movedPageCount == logPageCount }
  }
}
