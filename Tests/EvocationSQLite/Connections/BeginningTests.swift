#if os(macOS) || os(Linux)
  import Evocation
  import EvocationSQLite
  import Foundation
  import TestTraits
  import Testing

  import class Fixtures.ChildProcess

  @testable import SQLiteSupport

  /// Files that are new, and where they are.
  @Suite(.patient) struct BeginningTests {
    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test func `Of two processes that open a new file at the same moment, both do`() async throws {
      let processes = try (0..<2).map { _ in try Child.start("begin", folder.path()) }
      for process in processes { #expect(await process.text { $0.hasSuffix("\n") } == "ready\n") }
      for number in 0..<150 {
        let path = folder.path("\(number).sqlite")
        for process in processes { try process.write(path + "\n") }
        for process in processes {
          #expect(await process.text { $0.hasSuffix("\n") } == "opened\n")
        }
        let database = try SQLiteDatabase(path: path)
        let mode = try await database.write { try $0.rows("PRAGMA journal_mode") }
        #expect(mode.map(\.values) == [[.text("wal")]])
        await database.close()
      }
    }

    @Test func `A file that cannot have a log where it is is refused`() async throws {
      let path = folder.path()
      #expect(
        try await Child.start("bare", path).text
          == "Opening the database in \"\(path)\" failed: the log of the file needs shared "
          + "memory, which its disk does not support; move it to a disk of this device.\n")
    }
  }
#endif
