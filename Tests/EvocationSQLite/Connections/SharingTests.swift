import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SharingTests {
  typealias Sharing = SQLiteDatabase.Configuration.Sharing

  private let folder: TemporaryFolder

  private struct Note: Codable, Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func notes(_ sharing: Sharing) throws -> SQLiteRepository<Note> {
    try SQLiteRepository(
      SQLiteDatabase(path: folder.path(), configuration: .init(sharing: sharing)))
  }

  @Test(arguments: Sharing.allCases)
  func `A read by key sees each commit before it`(sharing: Sharing) async throws {
    let notes = try notes(sharing)
    for number in 1...200 {
      try await notes.storeOrUpdate([Note(id: 1, text: "\(number)")])
      for _ in 1...4 {
        #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      }
    }
  }

  @Test func `A read by key sees each commit of somebody who does not tell`() async throws {
    let notes = try notes(.severalProcesses)
    let others = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path()))
    for number in 1...200 {
      try await others.storeOrUpdate([Note(id: 1, text: "\(number)")])
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(number)")
    }
  }

  @Test func `A read by key sees a table that somebody changed`() async throws {
    let notes = try notes(.severalProcesses)
    try await notes.store([Note(id: 1)])
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
    let other = try SQLiteDatabase(path: folder.path())
    try await other.write { try $0.execute("ALTER TABLE note ADD COLUMN more TEXT") }
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
  }

  @Test(arguments: Sharing.allCases)
  func `A read by key sees a table that a migration changed`(sharing: Sharing) async throws {
    let notes = try notes(sharing)
    try await notes.store([Note(id: 1)])
    for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value == Note(id: 1)) }
    try notes.database.migrate([SQLiteMigration("more", "ALTER TABLE note ADD COLUMN more TEXT")])
    for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value == Note(id: 1)) }
  }

  @Test(arguments: Sharing.allCases)
  func `Reads between writes do not keep the log from being begun anew`(
    sharing: Sharing
  ) async throws {
    let notes = try notes(sharing)
    for number in 1...1_000 {
      let text = String(repeating: "\(number % 10)", count: 20_000)
      try await notes.storeOrUpdate([Note(id: 1, text: text)])
      for _ in 1...3 { #expect(try await notes.findOne(["id": 1]).value?.text == text) }
    }
    let log = try #require(try await notes.inspectedFile).logSize
    // What moves it beside the writes may be late, and at so many pages a write moves it.
    #expect(log < 9_000 * 4_128, "the log has \(log) bytes")
  }

  @Test(arguments: Sharing.allCases)
  func `Many read and one writes at once, and each reads what was written last`(
    sharing: Sharing
  ) async throws {
    let notes = try notes(sharing)
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

  @Test(arguments: Sharing.allCases)
  func `A checkpoint, a backup and a check do not wait for reads that are over`(
    sharing: Sharing
  ) async throws {
    let notes = try notes(sharing)
    let database = notes.database
    try await notes.store([Note(id: 1, text: "a")])
    for mode in SQLiteDatabase.CheckpointMode.allCases {
      try await notes.storeOrUpdate([Note(id: 1, text: "\(mode)")])
      for _ in 1...3 { _ = try await notes.findOne(["id": 1]) }
      #expect(try await database.checkpoint(mode).logPageCount > 0)
      #expect(try await notes.findOne(["id": 1]).value?.text == "\(mode)")
    }
    #expect(try #require(try await notes.inspectedFile).logSize == 0)
    #expect(try await database.check().isEmpty)
    try await database.backup(to: folder.path("copy"))
    let copy = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path("copy")))
    #expect(try await copy.find(Criteria()).value == [Note(id: 1, text: "truncate")])
    await database.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path() + "-wal"))
  }

  @Test func `For one process there is no file that processes share`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.sharing = .oneProcess
    let database = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    let notes = try SQLiteRepository<Note>(database)
    try await notes.store([Note(id: 1)])
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
    #expect(FileManager.default.fileExists(atPath: folder.path() + "-wal"))
    #expect(!FileManager.default.fileExists(atPath: folder.path() + "-shm"))
  }

  @Test(arguments: [
    (Sharing.oneProcess, Sharing.oneProcess), (.oneProcess, .severalProcesses),
    (.severalProcesses, .oneProcess),
  ])
  func `Another database of this process is refused at once, until the first is closed`(
    first: Sharing, second: Sharing
  ) async throws {
    let notes = try notes(first)
    try await notes.store([Note(id: 1)])
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path())
    for path in [folder.path(), link] {
      let error = #expect(throws: SQLiteError.self) {
        try SQLiteDatabase(path: path, configuration: .init(sharing: second))
      }
      #expect(error?.code == .misuse)
      #expect(
        error?.description
          == "Opening the database in \"\(path)\" failed: this process has it open with another "
          + "SQLiteDatabase, and one of them with oneProcess; share one of them, or let both use "
          + "severalProcesses.")
    }
    #expect(try await notes.findOne(["id": 1]).value == Note(id: 1))
    await notes.database.close()
    let other = try self.notes(second)
    #expect(try await other.findOne(["id": 1]).value == Note(id: 1))
  }

  @Test func `A file that is let go may be opened again`() async throws {
    for sharing in [Sharing.oneProcess, .severalProcesses, .oneProcess] {
      _ = try notes(sharing)
    }
    // So may one that was refused.
    try Data(repeating: 7, count: 5_000).write(to: URL(filePath: folder.path("other")))
    for sharing in [Sharing.oneProcess, .severalProcesses, .oneProcess] {
      let error = #expect(throws: SQLiteError.self) {
        try SQLiteDatabase(
          path: folder.path("other"), configuration: .init(sharing: sharing))
      }
      #expect(error?.code == .notADatabase)
    }
  }

  #if os(macOS) || os(Linux)
    @Test(arguments: Sharing.allCases)
    func `Another process is told why it cannot open what is open otherwise`(
      sharing: Sharing
    ) async throws {
      let path = folder.path()
      let notes = try notes(sharing)
      try await notes.store([Note(id: 1)])
      let other: Sharing = sharing == .oneProcess ? .severalProcesses : .oneProcess
      let told = await (try Child.start("open:\(other)", path)).text
      #expect(told == Self.refusal(other, path))
      let same = await (try Child.start("open:\(sharing)", path)).text
      #expect(same == (sharing == .oneProcess ? Self.refusal(sharing, path) : "opened\n"))
      try await notes.store([Note(id: 2)])
      await notes.database.close()
      for sharing in Sharing.allCases {
        #expect(await (try Child.start("open:\(sharing)", path)).text == "opened\n")
      }
    }

    @Test func `Whoever knows nothing of this library is kept out too`() async throws {
      let notes = try notes(.oneProcess)
      try await notes.store([Note(id: 1)])
      for _ in 1...3 { _ = try await notes.findOne(["id": 1]) }
      let other = try await OtherProcess(folder.path(), timeout: 0)
      #expect(try await other.run("SELECT * FROM note") == "failed database is locked\n")
      #expect(
        try await other.run("INSERT INTO note VALUES (2, 'b')") == "failed database is locked\n")
      await notes.database.close()
      #expect(try await other.run("SELECT id FROM note") == "done [(1,)]\n")
    }

    private static func refusal(_ sharing: Sharing, _ path: String) -> String {
      let reason =
        switch sharing {
        case .severalProcesses:
          "another process uses it alone; close it there, or let both share it with "
            + "severalProcesses"
        case .oneProcess:
          "another process has it open, and oneProcess needs it alone; close it there, or let "
            + "both share it with severalProcesses"
        }
      return "Opening the database in \"\(path)\" failed: \(reason).\n"
    }
  #endif
}
