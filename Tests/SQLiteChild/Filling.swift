import Evocation
import EvocationSQLite
import Foundation

/// Stores batches until the disk is full, and says what is left of them.
struct Filling {
  private static let batch = 50
  let path: String

  func run() async throws {
    let database = try SQLiteDatabase(path: path)
    let notes = try SQLiteRepository<Note>(database)
    var stored = 0
    while stored < 100_000 {
      do {
        try await store(notes, from: stored)
        stored += Self.batch
      } catch let error as SQLiteError {
        SQLiteChild.say("\(error)")
        break
      }
    }
    SQLiteChild.say("kept all: \(try await notes.find(Criteria()).value.count == stored)")
    let ballast = path + ".ballast"
    guard FileManager.default.fileExists(atPath: ballast) else { return }
    try FileManager.default.removeItem(atPath: ballast)
    try await store(notes, from: stored)
    let count = try await notes.find(Criteria()).value.count
    SQLiteChild.say("goes on: \(count == stored + Self.batch)")
    SQLiteChild.say("problems: \(try await database.check())")
  }

  /// Fills a file with rows, deletes most of them, and vacuums it where there may be no room for that.
  func vacuum() async throws {
    let database = try SQLiteDatabase(path: path)
    let notes = try SQLiteRepository<Note>(database)
    for batch in 0..<16 {
      try await store(notes, from: batch * Self.batch)
      try await database.checkpoint(.truncate)
    }
    try await database.write { _ = try $0.execute("DELETE FROM note WHERE id % 4 = 0") }
    do {
      try await database.vacuum()
      SQLiteChild.say("vacuumed")
    } catch let error as SQLiteError {
      SQLiteChild.say("\(error)")
    }
    SQLiteChild.say("kept all: \(try await notes.find(Criteria()).value.count == 600)")
    SQLiteChild.say("problems: \(try await database.check())")
  }

  private func store(_ notes: SQLiteRepository<Note>, from first: Int) async throws {
    let text = String(repeating: "x", count: 500)
    try await notes.store((first..<first + Self.batch).map { Note(id: $0, text: text) })
  }
}
