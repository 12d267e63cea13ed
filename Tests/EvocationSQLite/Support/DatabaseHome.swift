import EvocationSQLite

/// Where a test has its database.
enum DatabaseHome: CaseIterable {
  case memory, file

  /// Opens the database; the path says where, unless it is in memory.
  func database(_ path: String) throws -> SQLiteDatabase {
    switch self {
    case .memory: try SQLiteDatabase.inMemory()
    case .file: try SQLiteDatabase(path: path)
    }
  }
}
