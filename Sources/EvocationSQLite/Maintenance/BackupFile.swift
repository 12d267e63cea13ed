internal import Foundation

/// The file that a backup is written to, under a temporary name until it is complete.
struct BackupFile {
  static let action = "Writing the backup"

  /// The file that the backup is written to.
  let temporary: DatabaseFile

  /// The file's name in sentences.
  let name: String

  private let path: String
  private let source: String?
  private let mayReplace: Bool

  /// Checks that a backup may be written to the path.
  ///
  /// ``PageCopy`` is the first to write.
  init(_ path: String, source: String?, mayReplace: Bool) throws {
    guard !path.isEmpty, !path.utf8.contains(0), path != ":memory:" else {
      throw SQLiteError(.cannotOpen, "Writing the backup failed: the path names no file.")
    }
    name = "\"\(path)\""
    self.source = source
    self.mayReplace = mayReplace
    // SQLite follows links too, so the logs are beside the file that a link points to.
    let path = URL(filePath: path).resolvingSymlinksInPath().path
    self.path = path
    temporary = DatabaseFile(
      name: name, path: "\(path).\(UUID().uuidString)", action: Self.action)
    try check()
  }

  /// Renames the complete file to its final name, unless another file has that name by now.
  func publish() throws {
    try check()
    // `link` fails if there is a file, even one created a moment ago. Some file systems have no
    // links.
    let isNamed = !mayReplace && link(temporary.path, path) == 0
    if !mayReplace, !isNamed, errno == EEXIST { throw exists() }
    guard isNamed || rename(temporary.path, path) == 0 else {
      throw refusal(errno) { "the system cannot rename the file: \($0)" }
    }
    // The name is on the disk when the folder is.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Removes the temporary file.
  func discard() {
    for end in [""] + Self.logs { unlink(temporary.path + end) }
  }

  /// Returns the error for a refused system call.
  ///
  /// `reason` words those that have no advice.
  func refusal(_ number: Int32, _ reason: (String) -> String) -> SQLiteError {
    if let failure = SystemFailure(number) {
      return SQLiteError(failure, Self.action, file: name)
    }
    return refusal(.cannotOpen, reason(String(cString: strerror(number))))
  }

  private static let logs = ["-journal", "-wal", "-shm"]

  private func check() throws {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR {
      throw refusal(.cannotOpen, "the path is a folder; pass the path of a file in it")
    }
    if isThere {
      if let source, Self.identity(path) == Self.identity(source) {
        throw refusal(.targetExists, "it is the database itself; use another path")
      }
      guard mayReplace else { throw exists() }
    }
    // SQLite would apply the log of another database to the backup, and damage it.
    for log in Self.logs where FileManager.default.fileExists(atPath: path + log) {
      throw refusal(
        .targetExists,
        "it has a log beside it, because a database of this path is open or was not closed; close "
          + "it, or use another path")
    }
    // The content is checked after the logs: this opens and closes the file, which releases this
    // process's locks on it.
    guard try !isThere || (status.st_mode & S_IFMT == S_IFREG && isDatabase()) else {
      throw refusal(.targetExists, "the file there is not an SQLite database; move it away first")
    }
  }

  /// Whether the file begins as a database does, or is empty.
  private func isDatabase() throws -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 16)
    let count = read(descriptor, &start, start.count)
    guard count >= 0 else { throw unreadable(errno) }
    return count == 0 || start == Array("SQLite format 3\0".utf8)
  }

  /// Returns what identifies a file, independent of its path.
  private static func identity(_ path: String) -> [UInt64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
  }

  private func exists() -> SQLiteError {
    refusal(
      .targetExists, "a file of this path already exists; use another path, or pass replacing: true"
    )
  }

  private func unreadable(_ number: Int32) -> SQLiteError {
    refusal(number) {
      "Evocation cannot read the file there to see whether it is a database: \($0); check its "
        + "rights, or try again"
    }
  }

  private func refusal(_ code: SQLiteError.Code, _ reason: String) -> SQLiteError {
    SQLiteError(code, "\(Self.action) in \(name) failed: \(reason).")
  }
}
