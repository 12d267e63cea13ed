import Evocation
import EvocationSQLite

/// Stores one model after the other, one transaction each, and says the id of each that is stored.
struct Storing {
  let path: String
  func run() async throws {
    let notes = try SQLiteRepository<Note>(SQLiteDatabase(path: path))
    var id = try await notes.find(Criteria()).value.count
    while true {
      _ = try await notes.storeOne(Note(id: id, text: String(repeating: "x", count: id % 3000)))
      SQLiteChild.say("\(id)")
      id += 1
    }
  }
}
