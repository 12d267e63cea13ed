internal import CEvocationSQLite
internal import Evocation

/// Copies all pages of a database into a file, some pages at a time.
final class PageCopy {
  private static let pagesInStep: Int32 = 128

  private let target: Connection
  private var backup: OpaquePointer?

  /// Creates the file and begins to copy the connection's database to it.
  init(of connection: Connection, to file: DatabaseFile) throws {
    var configuration = connection.configuration
    // The copy has the protection of its folder.
    configuration.fileProtection = nil
    target = try Connection.connect(
      file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, configuration: configuration,
      isDamaged: Lock(false), commits: CommitClock())
    backup = sqlite3_backup_init(target.handle, "main", connection.handle, "main")
    guard backup != nil else { throw error() }
  }

  deinit {
    sqlite3_backup_finish(backup)
  }

  /// The number of copied pages, and of all pages.
  var progress: SQLiteDatabase.BackupProgress {
    let count = Int(sqlite3_backup_pagecount(backup))
    return .init(
      copiedPageCount: count - Int(sqlite3_backup_remaining(backup)), pageCount: count)
  }

  /// Copies some pages, and returns whether there are more.
  func step() throws -> Bool {
    let code = sqlite3_backup_step(backup, Self.pagesInStep)
    if code == SQLITE_DONE { return false }
    guard code == SQLITE_OK else {
      finishCopying()
      throw error()
    }
    return true
  }

  /// Turns the copy into a single file that needs no log.
  func finish() throws {
    guard finishCopying() == SQLITE_OK else { throw error() }
    // Files are signed out of while they are in use, and a copy may be opened by the next user.
    try SignOutTable(target).endAll()
    try target.execute("PRAGMA journal_mode = DELETE", BackupFile.action)
  }

  /// Ends the copying.
  ///
  /// The connection to the target then has the error, if there is one.
  @discardableResult
  private func finishCopying() -> Int32 {
    defer { backup = nil }
    return sqlite3_backup_finish(backup)
  }

  private func error() -> SQLiteError {
    SQLiteError(failureOf: target.handle, BackupFile.action, file: target.file)
  }
}
