internal import CEvocationSQLite
internal import Foundation

/// The name and the path of a database's file.
struct DatabaseFile: Sendable {
  /// The file's name in sentences: the path as the app passed it.
  let name: String

  /// The absolute path that all connections open.
  ///
  /// With a relative path, a process that changes its folder would read another file than it
  /// writes. With a path that begins with `file:`, SQLite would take it for a URL, with a database
  /// for each connection.
  let path: String

  /// What fails if the file is refused.
  var action = "Opening the database"
}

extension DatabaseFile {
  /// Creates it from a path.
  ///
  /// - Throws: ``SQLiteError`` for a path that SQLite would interpret as something else.
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

  /// The file's path with its links followed; the log is beside it.
  var resolved: String { Self.resolved(path) ?? path }

  /// Registers a connection to the file for as long as the claim is held.
  ///
  /// Before the first connection, it protects the file.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be protected.
  func claim(_ configuration: SQLiteDatabase.Configuration) throws -> OpenFiles.Claim {
    // Before the file exists, its folder determines where it will be.
    let url = URL(filePath: path)
    let place =
      Self.resolved(path)
      ?? Self.resolved(url.deletingLastPathComponent().path).map {
        "\($0)/\(url.lastPathComponent)"
      }
    return try OpenFiles.ofProcess.claim(place ?? path) {
      // The protection of a file that cannot be written cannot be set.
      try protect(configuration.isReadOnly ? nil : configuration.fileProtection)
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Throws for a path that SQLite would report with less detail, block on, or overwrite.
  func check() throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard let failure = SystemFailure(errno) else { return }
      throw SQLiteError(failure, action, file: name)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      // SQLite treats a single byte as an empty file, and would overwrite it.
      guard status.st_size != 1 else {
        throw SQLiteError(SQLITE_NOTADB, action, file: name, message: "")
      }
    case S_IFDIR:
      throw Self.refusal(name, "the path is a folder; pass the path of a file in it")
    default:
      throw Self.refusal(
        name, "the path is a device, a pipe or a socket; pass the path of a file")
    }
  }

  /// Whether nobody changes the file, because its folder cannot be written.
  ///
  /// SQLite would create a log there to read the file, unless it is opened as a fixed one.
  ///
  /// - Throws: ``SQLiteError`` for a file with a log, which SQLite could not read there.
  func isFixed() throws -> Bool {
    let path = resolved
    guard access(URL(filePath: path).deletingLastPathComponent().path, W_OK) != 0 else {
      return false
    }
    if FileManager.default.size(path + "-wal") == 0 { return true }
    if FileManager.default.fileExists(atPath: path + "-shm") { return false }
    throw Self.refusal(
      name,
      "it has a log beside it, which cannot be read in a folder that cannot be written; close "
        + "the database where it is written, and copy it again")
  }

  /// The URL by which SQLite opens the file as one that nobody changes.
  var fixedURL: String {
    let plain = CharacterSet(charactersIn: "/-._~").union(.alphanumerics)
    let encoded = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    return "file://\(encoded)?immutable=1"
  }

  /// Creates the error for a file that SQLite did not open, from the system's error number.
  ///
  /// `creates` says whether SQLite would have created it.
  func refusal(_ resultCode: Int32, _ number: Int32, creates: Bool) -> SQLiteError {
    let limit = sqlite3_vfs_find(nil).map { Int($0.pointee.mxPathname) } ?? .max
    if path.utf8.count + 2 > limit, let failure = SystemFailure(ENAMETOOLONG) {
      return SQLiteError(failure, action, resultCode: resultCode, file: name)
    }
    if let failure = SystemFailure.ofOpening(path, number, creates: creates) {
      return SQLiteError(failure, action, resultCode: resultCode, file: name)
    }
    return SQLiteError(resultCode, action, file: name, message: "")
  }

  private static func refusal(_ name: String, _ reason: String) -> SQLiteError {
    SQLiteError(.cannotOpen, "Opening the database in \(name) failed: \(reason).")
  }
}
