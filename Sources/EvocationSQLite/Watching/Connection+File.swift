internal import CEvocationSQLite

extension Connection {
  /// The file's path with its links followed, beside which the log is; nil in memory.
  var resolvedPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
