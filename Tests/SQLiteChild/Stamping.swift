import Evocation
import EvocationSQLite
import Foundation

/// Saves one generation of notes after the other with its stamp, and says the number of each.
struct Stamping {
  let path: String
  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    let (notes, ledger) = (try SQLiteRepository<Note>(database), SQLiteFetchLedger(database))
    var number = try await ledger.record(for: "notes")?.size ?? 0
    while true {
      number += 1
      // Some come and some go with each, so that saving is many statements.
      let generation = (number..<number + 40).map { Note(id: $0, text: "\(number)") }
      let record = FetchRecord(fetchedAt: Date(), size: number)
      let stamp = FetchStamp(tag: "notes", record: record, ledger: ledger)
      try await notes.commit(
        StoreWrite([.mirror(generation, for: Criteria())], stamp: stamp))
      SQLiteChild.say("\(number)")
    }
  }
}
