extension SQLiteDatabase.Configuration {
  /// When a commit is on the disk.
  ///
  /// In all of them a commit outlives the end of the process, a crash and `SIGKILL` included,
  /// because the system has what was written. They differ in what a power cut or a crash of the
  /// system may take, as far as the disk tells the truth when it says that something is written.
  ///
  /// | | a power cut may take | and the file |
  /// |---|---|---|
  /// | `off` | any commit | may be damaged |
  /// | `normal` | the commits since the last checkpoint, the latest first | is sound |
  /// | `full` | nothing that was answered | is sound |
  ///
  /// With `normal`, the system writes a commit to the disk when it likes, mostly within seconds, and
  /// a checkpoint makes sure of it: SQLite makes one for each thousand pages of the log, when the
  /// last connection closes, and when told with ``SQLiteDatabase/checkpoint(_:)``. What a power cut
  /// leaves is always the state after one of the commits, with everything before it.
  ///
  /// With `full`, each commit waits for the disk, which costs from a tenth of a millisecond to tens
  /// of them. Take it where an answer is a promise to somebody else, such as a queue of writes.
  public enum Synchronous: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whenever the system likes; a power cut may damage the file.
    case off
    /// At the next checkpoint; a power cut may take the last commits, and damages nothing.
    case normal
    /// Before the commit ends; a power cut takes nothing.
    case full
  }
}
