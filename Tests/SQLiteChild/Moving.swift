import Evocation
import EvocationSQLite
import Foundation

/// Writes a file by a path that does not begin at the root, and reads it from another folder.
struct Moving {
  let path: String

  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    try await database.write { _ = try $0.execute("CREATE TABLE note AS SELECT 7 AS id") }
    try await database.backup(to: path + ".copy")
    guard FileManager.default.changeCurrentDirectoryPath("/") else {
      return SQLiteChild.say("there is no other folder")
    }
    let id = try await database.read { try $0.rows("SELECT id FROM note").first?["id"] }
    SQLiteChild.say(id == .integer(7) ? "has 7" : "has not 7")
    await database.close()
  }
}
