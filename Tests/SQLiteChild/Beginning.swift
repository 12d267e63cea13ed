import CEvocationSQLite
import Evocation
import EvocationSQLite
import Foundation

/// Begins new files: one for each line that it is told, which is a path.
struct Beginning {
  /// Opens each, makes a table in it, and says what came of that.
  func run() async {
    SQLiteChild.say("ready")
    while let path = readLine() {
      do {
        let database = try SQLiteDatabase(path: path)
        _ = try SQLiteRepository<Note>(database)
        await database.close()
        SQLiteChild.say("opened")
      } catch {
        SQLiteChild.say("\(error)")
      }
    }
  }

  /// Has SQLite use files as on a system that shares no memory between processes.
  static func withoutSharedMemory() {
    sqlite3_initialize()
    sqlite3_vfs_register(sqlite3_vfs_find("unix-dotfile"), 1)
  }
}
