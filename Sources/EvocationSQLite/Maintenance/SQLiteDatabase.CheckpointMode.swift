extension SQLiteDatabase {
  /// How much a checkpoint does to move the whole log, and whom it waits for.
  public enum CheckpointMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Moves what it can while others read, without waiting.
    case passive
    /// Waits until no reader needs what the log replaces, and moves all of it.
    case full
    /// The same, and waits until the log can begin from its start again.
    case restart
    /// The same, and makes the log's file empty.
    case truncate
  }
}
