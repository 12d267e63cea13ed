internal import CEvocationSQLite
internal import Foundation

/// Where a database is.
struct DatabaseFile: Sendable {
  /// How it is called in sentences: by the path that was given.
  let name: String

  /// The path that all connections open, from the root on.
  ///
  /// Otherwise a process that changes its folder would read another file than it writes, and SQLite
  /// would take what begins with `file:` for an address, with a database for each connection.
  let path: String

  /// - Throws: ``SQLiteError`` for a path that SQLite would take for something else.
  init(_ given: String) throws {
    guard !given.isEmpty, !given.utf8.contains(0), given != ":memory:" else {
      throw SQLiteError(
        .cannotOpen,
        "Opening the database failed: the path names no file; use inMemory() for a database "
          + "without one.")
    }
    name = "\"\(given)\""
    guard given.utf8.first != UInt8(ascii: "/") else {
      path = given
      return
    }
    let folder = FileManager.default.currentDirectoryPath
    guard !folder.isEmpty else {
      throw Self.refusal(
        name, "the folder of this process is gone; pass the whole path")
    }
    path = "\(folder)/\(given)"
  }

  /// The file's path with its links followed; the log lies next to it.
  var resolved: String { Self.resolved(path) ?? path }

  /// Notes a connection to the file, as long as the claim is held, and protects the file before the first.
  ///
  /// - Throws: ``SQLiteError`` when this process has it open, and one of both wants it alone.
  func claim(
    _ configuration: SQLiteDatabase.Configuration, for commits: CommitClock
  ) throws -> OpenFiles.Claim {
    // Before there is a file, its folder tells where it will be.
    let url = URL(filePath: path)
    let place =
      Self.resolved(path)
      ?? Self.resolved(url.deletingLastPathComponent().path).map {
        "\($0)/\(url.lastPathComponent)"
      }
    let owner = configuration.sharing == .oneProcess ? ObjectIdentifier(commits) : nil
    guard
      let claim = try OpenFiles.ofProcess.claim(
        place ?? path, owner: owner, beforeFirst: { try protect(configuration.fileProtection) })
    else {
      throw SQLiteError(
        .misuse,
        "Opening the database in \(name) failed: this process has it open with another "
          + "SQLiteDatabase, and one of them with oneProcess; share that one, or let both use "
          + "severalProcesses.")
    }
    return claim
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Refuses what is there if SQLite would explain it with less, wait for it, or write over it.
  func check() throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard let failure = SystemFailure(errno) else { return }
      throw SQLiteError(failure, "Opening the database", file: name)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // SQLite takes a single byte for nothing, and would write over it.
      guard status.st_size != 1 else {
        throw SQLiteError(SQLITE_NOTADB, "Opening the database", file: name, message: "")
      }
    case S_IFDIR:
      throw Self.refusal(name, "the path is a folder; pass the path of a file in it")
    default:
      throw Self.refusal(
        name, "the path is a device, a pipe or a socket; pass the path of a file")
    }
  }

  /// The error of a file that SQLite did not open, with the system's number for it.
  func refusal(_ resultCode: Int32, _ number: Int32) -> SQLiteError {
    let action = "Opening the database"
    let limit = sqlite3_vfs_find(nil).map { Int($0.pointee.mxPathname) } ?? .max
    if path.utf8.count + 2 > limit, let failure = SystemFailure(ENAMETOOLONG) {
      return SQLiteError(failure, resultCode: resultCode, action, file: name)
    }
    if let failure = SystemFailure.ofOpening(path, number) {
      return SQLiteError(failure, resultCode: resultCode, action, file: name)
    }
    return SQLiteError(resultCode, action, file: name, message: "")
  }

  private static func refusal(_ name: String, _ reason: String) -> SQLiteError {
    SQLiteError(.cannotOpen, "Opening the database in \(name) failed: \(reason).")
  }
}
