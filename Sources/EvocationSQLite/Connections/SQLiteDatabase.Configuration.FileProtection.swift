internal import CEvocationSQLite
internal import Foundation

extension SQLiteDatabase.Configuration {
  /// When the system can decrypt the file, on the platforms that protect files by the passcode.
  ///
  /// It is set for the file, its log and the log's index each time the database is opened. On macOS and
  /// Linux it does nothing.
  public enum FileProtection: String, Sendable, Hashable, Codable, CaseIterable {
    /// While the device is unlocked; what runs behind a locked screen fails, open files included.
    case complete
    /// While it is unlocked, or the file was opened while it was.
    case completeUnlessOpen
    /// Once it has been unlocked since it was started; what background work needs.
    case completeUntilFirstUserAuthentication
    /// Always.
    case none
  }
}

extension Connection {
  /// Gives the file, its log and the log's index their protection.
  func protect(_ protection: SQLiteDatabase.Configuration.FileProtection?) throws {
    #if canImport(Darwin) && !os(macOS)
      guard let protection, let path = resolvedPath else { return }
      let type: FileProtectionType =
        switch protection {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
      // Has SQLite make the log, which is protected with the file.
      try execute("SELECT count(*) FROM sqlite_schema", "Opening the database")
      for path in ["", "-wal", "-shm"].map({ path + $0 })
      where FileManager.default.fileExists(atPath: path) {
        do {
          try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
        } catch {
          throw SQLiteError(
            .cannotOpen,
            "Opening the database in \(file) failed: the system refused its protection; check the "
              + "rights of the file.")
        }
      }
    #endif
  }
}
