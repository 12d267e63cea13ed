#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import Fixtures
  import Foundation
  import TestSupport
  import Testing

  /// A process that is killed while it signs out of two files.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct SignOutKillTests {
    struct Note: Codable, Identifiable, Sendable { var id: Int }
    struct Tag: Codable, Identifiable, Sendable { var id: Int }

    private let folder: TemporaryFolder
    private let paths: [String]

    init() throws {
      folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path("deep"), withIntermediateDirectories: false)
      paths = [folder.path("notes.sqlite"), folder.path("deep/tags.sqlite")]
    }

    private struct Held: Equatable {
      var notes: Int, tags: Int, isPending: Bool
    }

    /// What is in the files after a start that opens them in an order.
    private func held(_ paths: [String], secondFirst: Bool) async throws -> Held {
      let first = try SQLiteDatabase(path: secondFirst ? paths[1] : paths[0])
      let second = try SQLiteDatabase(path: secondFirst ? paths[0] : paths[1])
      let databases = secondFirst ? [second, first] : [first, second]
      let notes = try await SQLiteRepository<Note>(databases[0]).count(Criteria())
      let tags = try await SQLiteRepository<Tag>(databases[1]).count(Criteria())
      var isPending = false
      for database in databases {
        let rows = try await database.read { db in
          guard
            try !db.rows("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_sign_outs'").isEmpty
          else { return [] as [SQLiteRow] }
          return try db.rows(
            "SELECT 1 FROM evocation_sign_outs WHERE intent IS NOT NULL OR isDone = 0")
        }
        isPending = isPending || !rows.isEmpty
        await database.close()
      }
      return Held(notes: notes, tags: tags, isPending: isPending)
    }

    @Test(arguments: [false, true])
    func `At whichever step it is killed, the next start finds all there or nothing`(
      secondFirst: Bool
    ) async throws {
      var (whole, empty) = (0, 0)
      for file in 0...1 {
        for step in SignOutStep.allCases {
          let child = try Child.signOut(SigningOutTask(paths: paths, file: file, step: step))
          let text = await child.text
          child.kill()
          #expect(text.hasSuffix("at \(step.rawValue) of \(file)\n"), "\(text)")
          let held = try await held(paths, secondFirst: secondFirst)
          let isWhole = held == Held(notes: 50, tags: 50, isPending: false)
          let isEmpty = held == Held(notes: 0, tags: 0, isPending: false)
          #expect(isWhole || isEmpty, "\(step) of \(file): \(held)")
          whole += isWhole ? 1 : 0
          empty += isEmpty ? 1 : 0
        }
      }
      // From the last intent on, nothing is kept; before, no file is emptied yet.
      #expect(whole == 3 && empty == 9, "\(whole) whole, \(empty) empty")
    }

    @Test func `Files that were moved together are found again, and missing ones are left out`()
      async throws
    {
      for removed in [nil, 0, 1] {
        let child = try Child.signOut(SigningOutTask(paths: paths, file: 0, step: .afterEmpty))
        _ = await child.text
        child.kill()
        let moved = folder.path("moved-\(removed ?? -1)")
        try FileManager.default.createDirectory(
          atPath: moved, withIntermediateDirectories: false)
        for name in ["notes.sqlite", "deep"] {
          try FileManager.default.moveItem(atPath: folder.path(name), toPath: "\(moved)/\(name)")
          for end in ["-wal", "-shm"] where name != "deep" {
            try? FileManager.default.moveItem(
              atPath: folder.path(name + end), toPath: "\(moved)/\(name)\(end)")
          }
        }
        try FileManager.default.createDirectory(
          atPath: folder.path("deep"), withIntermediateDirectories: false)
        let paths = ["\(moved)/notes.sqlite", "\(moved)/deep/tags.sqlite"]
        if let removed {
          for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: paths[removed] + end)
          }
        }
        let held = try await held(paths, secondFirst: true)
        #expect(held == Held(notes: 0, tags: 0, isPending: false), "\(String(describing: removed))")
      }
    }

    @Test func `One that is not killed empties both`() async throws {
      let child = try Child.signOut(SigningOutTask(paths: paths, file: 0, step: nil))
      #expect(await child.text.hasSuffix("signed out\n"))
      let held = try await held(paths, secondFirst: false)
      #expect(held == Held(notes: 0, tags: 0, isPending: false))
    }
  }
#endif
