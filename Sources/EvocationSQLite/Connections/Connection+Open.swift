internal import Evocation
internal import Foundation

#if canImport(SQLite3)
  internal import SQLite3
#else
  internal import CEvocationSQLite
#endif

extension Connection {
  /// What a connection is for.
  enum Role {
    case writer, reader
  }

  /// Opens the file at `path`, or a database in memory when there is none.
  static func open(
    path: String?, _ role: Role, _ configuration: SQLiteDatabase.Configuration
  ) throws -> Connection {
    let file = path.map { "\"\($0)\"" } ?? "memory"
    if let path { try check(path: path) }
    var handle: OpaquePointer?
    let access =
      role == .writer ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let code = sqlite3_open_v2(
      path ?? ":memory:", &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil
    )
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory left"
      sqlite3_close_v2(handle)
      throw SQLiteError(code, "Opening the database", file: file, message: message)
    }
    let connection = Connection(handle: handle, file: file, configuration: configuration)
    if role == .writer, sqlite3_db_readonly(handle, "main") == 1 {
      throw SQLiteError(
        SQLITE_READONLY, "Opening the database", file: file, message: ""
      )
    }
    try connection.setUp(role, path, configuration)
    return connection
  }

  /// Refuses a path that SQLite would take for something else, or explain with less.
  private static func check(path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0), path != ":memory:" else {
      throw SQLiteError(
        .cannotOpen,
        "Opening the database failed: the path names no file; use inMemory() for a database "
          + "without one."
      )
    }
    // SQLite takes a single byte for nothing, and would write over it.
    guard FileManager.default.size(URL(filePath: path).resolvingSymlinksInPath().path) != 1 else {
      throw SQLiteError(
        SQLITE_NOTADB, "Opening the database", file: "\"\(path)\"", message: "")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw SQLiteError(
        .cannotOpen,
        "Opening the database in \"\(path)\" failed: the path is a folder; give the path of a file "
          + "in it."
      )
    }
  }

  private func setUp(
    _ role: Role, _ path: String?, _ configuration: SQLiteDatabase.Configuration
  ) throws {
    let action = "Opening the database"
    try execute("PRAGMA cache_size = -\(max(1, configuration.pageCacheSize / 1024))", action)
    try execute("PRAGMA foreign_keys = \(configuration.enforcesForeignKeys ? 1 : 0)", action)
    // Finds damage when a page is read, and not when the rows on it are.
    try execute("PRAGMA cell_size_check = 1", action)
    // Reads the first page, so that a file that is no database is found out before it is written.
    try execute("SELECT count(*) FROM sqlite_schema", action)
    if role == .writer {
      if path != nil { try checkSize() }
      // Before the journal mode, which is written into the file.
      try checkFormat()
      try execute("PRAGMA journal_mode = WAL", action)
      try execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)", action)
    }
    try addFunctions()
  }

  /// Refuses a file whose last page was cut off: SQLite would read the missing bytes as zeros.
  private func checkSize() throws {
    try snapshot { connection in
      guard case .integer(let count)? = try connection.first("PRAGMA page_count"),
        case .integer(let size)? = try connection.first("PRAGMA page_size"),
        // What is missing may be in the log.
        connection.logSize == 0, connection.fileSize < Int(count * size)
      else { return }
      throw SQLiteError(SQLITE_CORRUPT, "Opening the database", file: file, message: "")
    }
  }
}
