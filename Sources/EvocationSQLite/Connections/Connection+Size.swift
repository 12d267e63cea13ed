internal import CEvocationSQLite
internal import Foundation

extension Connection {
  /// The size of the file in bytes; zero in memory.
  var fileSize: Int { size("") }

  /// The size of the log in bytes; zero if there is none.
  var logSize: Int { size("-wal") }

  /// SQLite follows links, and keeps the log beside the file that they point to.
  private func size(_ end: String) -> Int {
    guard let path = sqlite3_db_filename(handle, "main").map({ String(cString: $0) }),
      !path.isEmpty
    else { return 0 }
    return FileManager.default.size(path + end)
  }
}

extension FileManager {
  /// Returns the size of a file in bytes; zero if there is none.
  func size(_ path: String) -> Int {
    // This asks the folder, because closing a file releases every lock that the process has on it.
    ((try? attributesOfItem(atPath: path))?[.size] as? NSNumber)?.intValue ?? 0
  }
}
