import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SharingTests {
  private let folder: TemporaryFolder

  private struct Note: Codable, Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func notes() throws -> SQLiteRepository<Note> {
    try SQLiteRepository(SQLiteDatabase(path: folder.path()))
  }

  @Test func `A read by key sees each commit before it`() async throws {
    let notes = try notes()
    for number in 1...200 {
      try await notes.storeOrUpdate([Note(id: 1, text: "\(number)")])
      for _ in 1...4 {
        #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      }
    }
  }

  @Test func `A read by key sees each commit of somebody who does not tell`() async throws {
    let notes = try notes()
    let others = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path()))
    for number in 1...200 {
      try await others.storeOrUpdate([Note(id: 1, text: "\(number)")])
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
    }
  }

  @Test func `A read by key sees a table that somebody changed`() async throws {
    let notes = try notes()
    try await notes.store([Note(id: 1)])
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
    let other = try SQLiteDatabase(path: folder.path())
    try await other.write { try $0.execute("ALTER TABLE note ADD COLUMN more TEXT") }
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
  }

  @Test func `A read by key sees a table that a migration changed`() async throws {
    let notes = try notes()
    try await notes.store([Note(id: 1)])
    for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value == Note(id: 1)) }
    try notes.database.migrate([SQLiteMigration("more", "ALTER TABLE note ADD COLUMN more TEXT")])
    for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value == Note(id: 1)) }
  }

  @Test func `Reads between writes do not keep the log from being begun anew`() async throws {
    let notes = try notes()
    for number in 1...1_000 {
      let text = String(repeating: "\(number % 10)", count: 20_000)
      try await notes.storeOrUpdate([Note(id: 1, text: text)])
      for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value?.text == text) }
    }
    let log = try #require(try await notes.databaseState).logSize
    // What moves it beside the writes may be late, and at so many pages a write moves it.
    #expect(log < 9_000 * 4_128, "the log has \(log) bytes")
  }

  @Test func `Many read and one writes at once, and each reads what was written last`() async throws
  {
    let notes = try notes()
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
            // A read of one model does not wait, and would keep the thread from the writer.
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `A checkpoint, a backup and a check do not wait for reads that are over`() async throws
  {
    let notes = try notes()
    let database = notes.database
    try await notes.store([Note(id: 1, text: "a")])
    for mode in SQLiteDatabase.CheckpointMode.allCases {
      try await notes.storeOrUpdate([Note(id: 1, text: "\(mode)")])
      for _ in 1...3 { _ = try await notes.findOne(["id": 1]) }
      #expect(try await database.checkpoint(mode).logPageCount > 0)
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(mode)")
    }
    #expect(try #require(try await notes.databaseState).logSize == 0)
    #expect(try await database.check().isEmpty)
    try await database.backup(to: folder.path("copy"))
    let copy = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path("copy")))
    #expect(try await copy.find(Criteria()).value == [Note(id: 1, text: "truncate")])
    await database.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path() + "-wal"))
  }
}
