internal import Foundation

/// The file that a backup is written to: under another name until it is whole.
struct BackupFile {
  /// Where it is written.
  let temporary: String

  /// How the file is called in sentences.
  let name: String

  private let path: String
  private let mayReplace: Bool

  /// Checks that the path may be taken; nothing is written before ``PageCopy`` begins.
  init(_ path: String, source: String?, mayReplace: Bool) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(.cannotOpen, "Writing the backup failed: the path names no file.")
    }
    name = "\"\(path)\""
    self.mayReplace = mayReplace
    // As SQLite does, which has a database's logs beside the file that a link leads to.
    let path = URL(filePath: path).resolvingSymlinksInPath().path
    self.path = path
    temporary = "\(path).\(UUID().uuidString)"
    try check(source: source)
  }

  /// Gives the whole file its name.
  func publish() throws {
    guard mayReplace || !FileManager.default.fileExists(atPath: path) else { throw exists() }
    guard rename(temporary, path) == 0 else {
      throw refusal(
        .cannotOpen, "the file cannot be given its name: \(String(cString: strerror(errno)))")
    }
    // A name is on the disk when its folder is.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes what was written under the other name.
  func discard() {
    for end in [""] + Self.logs { unlink(temporary + end) }
  }

  private static let logs = ["-journal", "-wal", "-shm"]

  private func check(source: String?) throws {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue {
      throw refusal(.cannotOpen, "the path is a folder; give the path of a file in it")
    }
    if isThere {
      if let source, Self.identity(path) == Self.identity(source) {
        throw refusal(.targetExists, "it is the database itself; give another path")
      }
      guard mayReplace else { throw exists() }
    }
    // SQLite would take the log of another database for the backup's own, and damage it.
    for log in Self.logs where FileManager.default.fileExists(atPath: path + log) {
      throw refusal(
        .targetExists,
        "a log lies beside it, because a database of this path is open or was not closed; close it, "
          + "or give another path")
    }
    // After the logs: to close a database that is open in this process lets go of its locks.
    guard !isThere || isDatabase else {
      throw refusal(.targetExists, "what is there is no SQLite database; move it away first")
    }
  }

  private var isDatabase: Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: 16), !start.isEmpty else { return true }
    return start == Data("SQLite format 3\0".utf8)
  }

  /// What tells a file from others, by whatever path it is reached.
  private static func identity(_ path: String) -> [UInt64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }

  private func exists() -> SQLiteError {
    refusal(
      .targetExists, "a file of this path is there; give another, or replacing: true")
  }

  private func refusal(_ code: SQLiteError.Code, _ reason: String) -> SQLiteError {
    SQLiteError(code, "Writing the backup in \(name) failed: \(reason).")
  }
}
