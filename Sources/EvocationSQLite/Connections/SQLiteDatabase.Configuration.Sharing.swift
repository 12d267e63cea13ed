extension SQLiteDatabase.Configuration {
  /// Whether other processes and databases may have the file open too.
  ///
  /// ```swift
  /// configuration.sharing = .oneProcess
  /// ```
  ///
  /// | | `severalProcesses` | `oneProcess` |
  /// |---|---|---|
  /// | an app and its extensions, or a tool beside it | may have the file open | are refused |
  /// | another `SQLiteDatabase` of the same file in this process | works | is refused |
  /// | commits of others | are noticed and reported to observers | cannot happen |
  /// | reads by key that follow each other | share a file lock, released within 50 ms | take none |
  ///
  /// A file that is open in one mode cannot be opened in the other mode, and ``SQLiteError`` is
  /// thrown. Its code is `busy`, after the busy timeout, if another process has the file open, and
  /// `misuse` if this process has. The file is the same in both modes, so you can change the mode
  /// the next time.
  public enum Sharing: String, Sendable, Hashable, Codable, CaseIterable {
    /// Other processes may read and write the file too.
    case severalProcesses
    /// One `SQLiteDatabase` has the file to itself, which saves most of the cost of a short call.
    ///
    /// On a disk without file locks, this mode cannot protect the file. Neither can the other mode.
    case oneProcess
  }
}
