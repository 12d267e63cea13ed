extension SQLiteDatabase.Configuration {
  /// When a commit is on the disk.
  ///
  /// In every mode, a commit survives the end of the process, a crash and `SIGKILL` included,
  /// because the system has the written bytes. The modes differ in what a power cut or a crash of
  /// the system may lose. This assumes that the disk is honest when it reports that something is
  /// written.
  ///
  /// | | a power cut may lose | the file afterwards |
  /// |---|---|---|
  /// | `off` | any commit | may be damaged |
  /// | `normal` | the commits since the last checkpoint, the latest first | is intact |
  /// | `full` | no commit whose call has returned | is intact |
  ///
  /// With `normal`, the system writes a commit to the disk when it likes, mostly within seconds. A
  /// checkpoint makes sure of it. SQLite makes a checkpoint after each thousand pages of the log,
  /// when the last connection closes, and when you call ``SQLiteDatabase/checkpoint(_:)``. After a
  /// power cut, the file has the state after one of the commits, with everything before it.
  ///
  /// With `full`, each commit waits for the disk, which takes from a tenth of a millisecond to tens
  /// of milliseconds. Use it if a result is a promise to someone else, such as for a queue of
  /// writes.
  public enum Synchronous: String, Sendable, Hashable, Codable, CaseIterable {
    /// When the system likes. A power cut may damage the file.
    case off
    /// At the next checkpoint. A power cut may lose the latest commits, and damages nothing.
    case normal
    /// Before the commit ends. A power cut loses nothing.
    case full
  }
}
