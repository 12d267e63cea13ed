import EvocationSQLite
import Foundation

/// Opens what there is to open until no file is free, and says what comes of that.
struct Crowding {
  let path: String

  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    try await database.write { _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY)") }
    try await database.backup(to: path + ".copy")
    var files: [Int32] = []
    while true {
      let file = open("/dev/null", O_RDONLY)
      guard file >= 0 else { break }
      files.append(file)
    }
    for name in [path + ".new", path] {
      say { _ = try SQLiteDatabase(path: name) }
    }
    do {
      try await database.backup(to: path + ".other")
    } catch {
      SQLiteChild.say("\(error)")
    }
    for file in files { close(file) }
    try await database.backup(to: path + ".other")
    _ = try SQLiteDatabase(path: path + ".new")
    SQLiteChild.say("goes on")
  }

  private func say(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      SQLiteChild.say("\(error)")
    }
  }
}
