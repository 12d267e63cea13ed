import Evocation
import EvocationSQLite
import Testing

@Suite(.timeLimit(.minutes(20))) struct HeldSnapshotTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let notes: SQLiteRepository<Note>

  private struct Note: Codable, Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    notes = try SQLiteRepository(database)
  }

  @Test func `A read by key sees each commit before it`() async throws {
    for number in 1...200 {
      try await notes.storeOrUpdate([Note(id: 1, text: "\(number)")])
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
    }
  }

  @Test func `A read by key sees each commit of somebody who does not tell`() async throws {
    let others = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path()))
    for number in 1...200 {
      try await others.storeOrUpdate([Note(id: 1, text: "\(number)")])
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
    }
  }

  @Test func `A read by key sees a table that somebody changed`() async throws {
    try await notes.store([Note(id: 1)])
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
    let other = try SQLiteDatabase(path: folder.path())
    try await other.write { try $0.execute("ALTER TABLE note ADD COLUMN more TEXT") }
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
  }

  @Test func `Reads between writes do not keep the log from being begun anew`() async throws {
    for number in 1...1_000 {
      let text = String(repeating: "\(number % 10)", count: 20_000)
      try await notes.storeOrUpdate([Note(id: 1, text: text)])
      for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value?.text == text) }
    }
    let log = try await database.statistics().logSize
    #expect(log < 8 << 20, "the log has \(log) bytes")
  }

  @Test func `Many read and one writes at once, and each reads what was written last`() async throws
  {
    let notes = notes
    try await notes.store([Note(id: 1, text: "0")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...500 {
          try await notes.storeOrUpdate([Note(id: 1, text: "\(number)")])
          #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
        }
      }
      for _ in 1...4 {
        group.addTask {
          var last = 0
          while last < 500 {
            let text = try await notes.findOne(["id": 1]).value?.text
            let number = text.flatMap { Int($0) } ?? -1
            #expect(number >= last)
            last = number
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
