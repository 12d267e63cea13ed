internal import CEvocationSQLite
internal import Dispatch
internal import Evocation
internal import Foundation
internal import Synchronization

/// The file that a database's writer has open, to notice that another one has its path.
///
/// SQLite goes on with the file that it opened, wherever that is, and a later connection would open the
/// path: another file, with the log of the first one beside it. There are two cases. A connection other
/// than the writer is opened for the same file only. A commit looks at the path before, at most once in
/// ``pause``, because that takes a twelfth of the shortest commit ("storeOne, Evocation"). It asks
/// the system by path: closing a file would release every lock that the process has on it.
final class OpenedFile: Sendable {
  private struct Known {
    var file: FileIdentity?
    var log: FileIdentity?
    var logPath = ""
    var writer: UInt?  // the address of its connection in SQLite
  }

  /// For how many nanoseconds commits do not look again.
  private static let pause: UInt64 = 1_000_000

  private let file: DatabaseFile
  private let known = Lock(Known())
  private let nextLook = Atomic<UInt64>(0)

  init(_ file: DatabaseFile) {
    self.file = file
  }

  /// Records the file that the writer has opened.
  func begin(_ writer: Connection) throws {
    // The first read of a new file creates its log.
    _ = try writer.first("PRAGMA schema_version")
    let logPath = (writer.resolvedPath ?? file.path) + Self.log
    let (found, log) = (FileIdentity(file.path), FileIdentity(logPath))
    var hasMoved: Int32 = 0
    // SQLite compares the file that it has open with its path.
    sqlite3_file_control(writer.handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    known.withLock {
      $0 = Known(
        file: found, log: log, logPath: logPath, writer: UInt(bitPattern: writer.handle))
    }
    if hasMoved != 0 { throw SQLiteError(file, "Opening the database", isGone: found == nil) }
  }

  /// Throws if the path has another file, or none.
  func check(_ action: String) throws {
    guard let opened = known.withLock(\.file) else { return }
    let found = FileIdentity(file.path, known: opened)
    if found != opened { throw SQLiteError(file, action, isGone: found == nil) }
  }

  /// Does the same before a commit, unless another commit has done it just before.
  func checkCommit() throws {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now >= nextLook.load(ordering: .relaxed) else { return }
    try check("Committing a transaction")
    nextLook.store(now + Self.pause, ordering: .relaxed)
  }

  /// Whether the writer's file is no longer at its path.
  ///
  /// When it is closed, SQLite then leaves its log there, for whatever file has the path.
  func isMoved(from writer: Connection) -> Bool {
    let known = known.withLock { $0 }
    guard let opened = known.file, known.writer == UInt(bitPattern: writer.handle) else {
      return false
    }
    return FileIdentity(file.path, known: opened) != opened
  }

  /// Removes the log of the writer's file from beside the path, unless the path has got another log.
  ///
  /// SQLite would apply it to the other file.
  func removeLog() {
    let known = known.withLock { $0 }
    guard let log = known.log, FileIdentity(known.logPath) == log else { return }
    unlink(known.logPath)
    unlink(known.logPath.dropLast(Self.log.count) + "-shm")
  }

  private static let log = "-wal"
}

/// What tells a file apart from all others while it exists.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Asks the system for the file at a path; nil if there is none.
  ///
  /// If the system does not say, it is taken for the known one.
  init?(_ path: String, known: FileIdentity? = nil) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard let known, errno != ENOENT, errno != ENOTDIR else { return nil }
      self = known
      return
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension SQLiteError {
  /// The error of a file that is no longer at its path.
  fileprivate init(_ file: DatabaseFile, _ action: String, isGone: Bool) {
    self.init(
      .misuse,
      isGone
        ? "\(action) in \(file.name) failed: the file was deleted or moved while it was open; close "
          + "the database before your app does that."
        : "\(action) in \(file.name) failed: another file has replaced it while it was open; close "
          + "the database before your app replaces its file, and open it again.")
  }
}
