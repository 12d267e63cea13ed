internal import Foundation

/// The file that a backup is written to, under a temporary name until it is complete.
struct BackupFile {
  private static let action = "Writing the backup"

  /// The file that the backup is written to.
  let temporary: DatabaseFile

  private let path: String

  /// Checks that a backup may be written to the path.
  init(_ path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0), path != ":memory:" else {
      throw SQLiteError(.cannotOpen, "\(Self.action) failed: the path names no file.")
    }
    // SQLite follows links too, so the logs are beside the file that a link points to.
    self.path = URL(filePath: path).resolvingSymlinksInPath().path
    temporary = DatabaseFile(
      name: "\"\(path)\"", path: "\(self.path).\(UUID().uuidString)", action: Self.action)
    try check()
  }

  /// Renames the complete file to its final name, unless another file has that name by now.
  func publish() throws {
    try sync(temporary.path)
    // `link` fails if there is a file, even one created a moment ago. Some file systems have no
    // links.
    if link(temporary.path, path) != 0 {
      try check()
      guard rename(temporary.path, path) == 0 else { throw refusal(errno) }
    }
    // The name is on the disk when the folder is.
    try? sync(URL(filePath: path).deletingLastPathComponent().path)
  }

  /// Removes the temporary file.
  func discard() {
    for end in [""] + Self.logs { unlink(temporary.path + end) }
  }

  /// Returns the error for a refused system call.
  func refusal(_ number: Int32) -> SQLiteError {
    if let failure = SystemFailure(number) {
      return SQLiteError(failure, Self.action, file: temporary.name)
    }
    return refusal(
      .cannotOpen, "the system cannot write the file: \(String(cString: strerror(number)))")
  }

  private static let logs = ["-journal", "-wal", "-shm"]

  private func check() throws {
    var status = stat()
    if lstat(path, &status) == 0 {
      throw refusal(.targetExists, "a file of this path already exists; use another path")
    }
    // SQLite would apply the log of another database to the backup, and damage it.
    for log in Self.logs where FileManager.default.fileExists(atPath: path + log) {
      throw refusal(
        .targetExists, "the log of another database lies beside it; use another path")
    }
  }

  /// Waits until the file is on the disk.
  private func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw refusal(errno) }
  }

  private func refusal(_ code: SQLiteError.Code, _ reason: String) -> SQLiteError {
    SQLiteError(code, "\(Self.action) in \(temporary.name) failed: \(reason).")
  }
}
