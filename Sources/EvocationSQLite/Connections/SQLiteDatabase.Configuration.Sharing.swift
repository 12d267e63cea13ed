extension SQLiteDatabase.Configuration {
  /// Who else may have the file open.
  ///
  /// ```swift
  /// configuration.sharing = .oneProcess
  /// ```
  ///
  /// | | `severalProcesses` | `oneProcess` |
  /// |---|---|---|
  /// | an app and its extensions, or a tool beside it | may have the file open | are refused |
  /// | another `SQLiteDatabase` of the same file in this process | works | is refused |
  /// | others' commits | are noticed and told | cannot happen |
  /// | a read by key | takes and gives back file locks | takes none |
  ///
  /// Opening a file in one way while it is open in the other is refused with a
  /// ``SQLiteError``: with the code `busy`, after the busy timeout, where that is another process, and
  /// with `misuse` where it is this one. The file is the same in both, and either opens it next time.
  public enum Sharing: String, Sendable, Hashable, Codable, CaseIterable {
    /// Other processes may read and write the file too.
    case severalProcesses
    /// One `SQLiteDatabase` has the file to itself, which saves most of what a short call costs.
    ///
    /// A file on a disk that knows no locks is not protected by this, nor is it otherwise.
    case oneProcess
  }
}
