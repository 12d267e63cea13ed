import Evocation
import EvocationSQLite
import Foundation

/// Saves one generation of notes after the other with its stamp, and says the number of each.
struct Stamping {
  let path: String

  func run() async throws {
    let notes = try SQLiteRepository<Note>(SQLiteDatabase(path: path))
    var number = try await notes.fetchLedger.record(for: "notes")?.size ?? 0
    while true {
      number += 1
      // Some come and some go with each, so that saving is many statements.
      let generation = (number..<number + 40).map { Note(id: $0, text: "\(number)") }
      let record = FetchRecord(fetchedAt: Date(), size: number)
      let stamp = FetchStamp(tag: "notes", record: record, ledger: notes.fetchLedger)
      try await notes.save(generation, mirroring: Criteria(), stamp: stamp)
      SQLiteChild.say("\(number)")
    }
  }
}
