internal import CEvocationSQLite
internal import Foundation

/// Copies all pages of a database into a file, some pages at a time.
final class PageCopy {
  private static let pagesInStep: Int32 = 128

  private let target: OpaquePointer
  private let file: BackupFile
  private var backup: OpaquePointer?

  /// Creates the file and begins to copy the connection's database to it.
  init(of connection: Connection, to file: BackupFile) throws {
    self.file = file
    var target: OpaquePointer?
    errno = 0
    let code = sqlite3_open_v2(
      file.temporary, &target,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil
    )
    let number = errno
    guard let target else {
      throw SQLiteError(
        code, "Writing the backup", file: file.name, message: "there is not enough memory")
    }
    self.target = target
    guard code == SQLITE_OK else {
      guard let failure = SystemFailure.ofOpening(file.temporary, number) else { throw error() }
      throw SQLiteError(failure, resultCode: code, "Writing the backup", file: file.name)
    }
    try connection.firstStatements.run(on: target, "Writing the backup", file: file.name)
    backup = sqlite3_backup_init(target, "main", connection.handle, "main")
    guard backup != nil else { throw error() }
  }

  deinit {
    sqlite3_backup_finish(backup)
    sqlite3_close_v2(target)
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
    guard finishCopying() == SQLITE_OK,
      sqlite3_exec(target, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK
    else { throw error() }
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
    SQLiteError(failureOf: target, "Writing the backup", file: file.name)
  }
}
