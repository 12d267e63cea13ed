extension SQLiteDatabase.Configuration {
  /// When a commit is on the disk.
  public enum Synchronous: String, Sendable, Hashable, Codable, CaseIterable {
    /// Whenever the system likes; a power cut may damage the file.
    case off
    /// At the next checkpoint; a power cut may take the last commits, and damages nothing.
    case normal
    /// Before the commit ends; a power cut takes nothing.
    case full
  }
}
