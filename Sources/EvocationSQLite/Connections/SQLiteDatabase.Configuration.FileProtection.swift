internal import Foundation

extension SQLiteDatabase.Configuration {
  /// When the system can decrypt the file, on the platforms that protect files by the passcode.
  ///
  /// The system's SQLite makes the file, its log and the log's index with it, and files that are there
  /// get it when the process opens the first connection to them. An SQLite that the app brings makes
  /// new files as the folder has them, and so gives them this protection at the next launch. On macOS
  /// and Linux it does nothing.
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

extension SQLiteDatabase.Configuration.FileProtection {
  /// What tells Apple's SQLite to make the file, its log and the log's index with it, by the numbers of
  /// its header (`SQLITE_OPEN_FILEPROTECTION_COMPLETE` and so on), which no other SQLite has.
  var openFlag: Int32 {
    switch self {
    case .complete: 0x0010_0000
    case .completeUnlessOpen: 0x0020_0000
    case .completeUntilFirstUserAuthentication: 0x0030_0000
    case .none: 0x0040_0000
    }
  }
}

extension DatabaseFile {
  #if canImport(Darwin) && !os(macOS)
    /// What SQLite is given to make the files with their protection.
    static func openFlag(_ protection: SQLiteDatabase.Configuration.FileProtection?) -> Int32 {
      protection?.openFlag ?? 0
    }

    /// Gives files that are there their protection, while this process has none of them open: that opens
    /// and closes them, which lets go of every lock that the process has on them.
    func protect(_ protection: SQLiteDatabase.Configuration.FileProtection?) throws {
      guard let protection else { return }
      let type: FileProtectionType =
        switch protection {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
      for path in ["", "-wal", "-shm"].map({ resolved + $0 })
      where FileManager.default.fileExists(atPath: path) {
        do {
          try FileManager.default.setAttributes([.protectionKey: type], ofItemAtPath: path)
        } catch {
          throw SQLiteError(
            .cannotOpen,
            "Opening the database in \(name) failed: the system refused its protection; check the "
              + "permissions of the file.")
        }
      }
    }
  #else
    static func openFlag(_: SQLiteDatabase.Configuration.FileProtection?) -> Int32 { 0 }

    func protect(_: SQLiteDatabase.Configuration.FileProtection?) throws {}
  #endif
}
