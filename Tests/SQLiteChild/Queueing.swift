import EvocationSQLite
import TestSupport

/// Writes one note after the other with its entries, and says the number of each write.
struct Queueing {
  let path: String
  func run() async throws {
    let notes = try SQLiteRepository<QueuedNote>(
      SQLiteDatabase(path: path))
    var number = try await QueuedWrites.count(in: notes)
    while true {
      number += 1
      try await QueuedWrites.write(number, to: notes)
      SQLiteChild.say("\(number)")
    }
  }
}
