internal import Foundation

extension SQLiteDatabase.Configuration {
  /// When the system can decrypt the file, on platforms that protect files with the passcode.
  ///
  /// The system's SQLite creates the file, its log and the log's index with this protection.
  /// Existing files get it when the process opens its first connection to them. An SQLite that your
  /// app brings creates new files with the protection of their folder, so they get this one at the
  /// next launch. On macOS and Linux it has no effect.
  public enum FileProtection: String, Sendable, Hashable, Codable, CaseIterable {
    /// While the device is unlocked. Code that runs behind a locked screen fails, even on open
    /// files.
    case complete
    /// While the device is unlocked, or if the file was opened while it was.
    case completeUnlessOpen
    /// After the first unlock since the device started, as background work needs.
    case completeUntilFirstUserAuthentication
    /// Always.
    case none
  }
}

extension SQLiteDatabase.Configuration.FileProtection {
  /// The flag for Apple's SQLite to create the file, its log and the log's index with the
  /// protection.
  ///
  /// The numbers are those of its header (`SQLITE_OPEN_FILEPROTECTION_COMPLETE` and so on), which
  /// no other SQLite has.
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
    /// The flag for SQLite to create the files with their protection.
    static func openFlag(_ protection: SQLiteDatabase.Configuration.FileProtection?) -> Int32 {
      protection?.openFlag ?? 0
    }

    /// Sets the protection of existing files, while this process has none of them open.
    ///
    /// It opens and closes the files, which releases every lock that the process has on them.
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
