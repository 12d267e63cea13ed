internal import CEvocationSQLite
internal import Foundation

extension Connection {
  /// The size of the file in bytes; zero in memory.
  var fileSize: Int { size("") }

  /// The size of the log in bytes; zero if there is none.
  var logSize: Int { size("-wal") }

  /// The path of the file after its links, with the log beside it; nil in memory.
  var resolvedPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }

  /// The path of the log; nil in memory.
  var logPath: String? { resolvedPath.map { $0 + "-wal" } }

  private func size(_ end: String) -> Int {
    resolvedPath.map { FileManager.default.size($0 + end) } ?? 0
  }
}

extension FileManager {
  /// Returns the size of a file in bytes; zero if there is none.
  func size(_ path: String) -> Int {
    // This asks the folder, because closing a file releases every lock that the process has on it. The
    // file's attributes would say the same, but read the system's users and groups ("launch").
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
