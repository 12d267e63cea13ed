import Evocation
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What a check says of rows in the library's tables that other SQL has changed.
@Suite(.patient) struct OwnRowsTests {
  private let folder: TemporaryFolder
  private let app: ListsFile.App

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: Databases.lists, to: URL(filePath: folder.path()))
    app = try ListsFile.App(folder.path())
  }

  @Test(arguments: [
    ("pages", "page = 'b' WHERE ids = '[5,6]'"), ("pages", "page = 9 WHERE page = 4"),
    ("pages", "ids = NULL WHERE page = 3"), ("pages", "ids = '[8, 8]' WHERE page = 3"),
    ("pages", "requirements = 'text' WHERE page = 3"),
    ("fetches", "fetchedAt = 'now' WHERE tag = 'marked'"),
    ("fetches", "isInvalidated = 4 WHERE tag = 'marked'"),
    ("fetches", "size = x'00' WHERE tag = 'marked'"),
    ("entries", "model = '{' WHERE position = 1"), ("entries", "kind = 4 WHERE position = 1"),
    ("entries", "queue = 99 WHERE position = 1"), ("entries", "key = x'00' WHERE position = 1"),
    ("outbox", "isHeld = 'yes'"), ("sign_outs", "isDone = 2 WHERE id = 'a'"),
    ("sign_outs", "intent = '{' WHERE id = 'a'"),
  ])
  func `It counts the rows of a table that cannot be`(table: String, change: String) async throws {
    #expect(try await app.database.check(.quick).isEmpty)
    try await app.database.write { try $0.execute("UPDATE evocation_\(table) SET \(change)") }
    for extent in SQLiteDatabase.IntegrityCheck.allCases {
      #expect(
        try await app.database.check(extent) == [
          "evocation_\(table): 1 row is invalid; other SQL has changed the table"
        ])
    }
  }

  @Test func `It counts them all, and changes nothing`() async throws {
    try await app.database.write { db in
      try db.execute("UPDATE evocation_entries SET queuedAt = 'now'")
    }
    let message = "evocation_entries: 3 rows are invalid; other SQL has changed the table"
    for _ in 0..<2 { #expect(try await app.database.check() == [message]) }
    #expect(try await app.evocation.outbox.unreadableEntries().count == 3)
  }
}
