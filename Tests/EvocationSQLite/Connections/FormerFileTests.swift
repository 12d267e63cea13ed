import CEvocationSQLite
import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What becomes of a file of format 1, which kept an id of a list in a row.
@Suite(.patient) struct FormerFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
    try copy(to: path)
  }

  private func copy(to path: String) throws {
    try FileManager.default.copyItem(at: Databases.listsOne, to: URL(filePath: path))
  }

  /// Runs SQL on a file without the library.
  private func run(_ sql: String, _ path: String) {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }

  private func rows(_ sql: String, _ database: SQLiteDatabase) async throws -> [[String]] {
    try await database.read { db in
      try db.rows(sql).map { $0.values.map(Self.text) }
    }
  }

  private static func text(_ value: Criteria.Scalar) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: "nil"
    }
  }

  @Test func `Its models, lists, unsent writes and records are there, and go on`() async throws {
    for _ in 0..<2 {
      let app = try FormatOneLists.App(path)
      try await FormatOneLists.expect(app)
      await app.database.close()
    }
    let app = try FormatOneLists.App(path)
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(try await app.songList.value(from: .cache).map(\.id) == [3, 4, 5, 6, 8])
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(await app.songList.goToPreviousPage() == .skipped(.noMorePages))
    #expect(try await app.songList.value(from: .cache).map(\.id) == Array(1...6))
    // Of the refresh, only the last page is missing.
    #expect(try await app.albumList.refresh(force: true) == .successful)
    #expect(app.albumShelf.offsets.withLock { $0 } == [4])
    #expect(try await app.albumList.value(from: .cache) == FormatOneLists.albums)
    _ = try await app.albums.remove([FormatOneLists.albums[1]])
    _ = try await app.words.remove([FormatOneLists.words[2]])
    _ = try await app.albums.store([FormatOneLists.albums[1]])
    _ = try await app.words.store([FormatOneLists.words[2]])
    #expect(
      try await app.albumList.value(from: .cache).map(\.name)
        == ["album 1", "album 3", "album 4", "album 5"])
    #expect(
      try await app.wordList.value(from: .cache).map(\.id) == ["it's \"q\"", "ä/\\\n", "e"])
    #expect(try await app.database.check().isEmpty)
  }

  @Test func `Nothing of the former form is left in it`() async throws {
    let database = try SQLiteDatabase(path: path)
    let left = try await rows(
      """
      SELECT name FROM sqlite_schema WHERE name GLOB 'evocation_list*' AND type <> 'index' ORDER BY name
      """, database)
    #expect(left == [["evocation_list_drafts"]])
    #expect(try await rows("SELECT version FROM evocation_format", database) == [["2"]])
    let pages = try await rows(
      "SELECT page, model, count, ids FROM evocation_pages WHERE model = 'Song'", database)
    #expect(
      pages == [
        ["0", "song", "nil", "nil"], ["1", "song", "nil", "nil"], ["2", "song", "2", "[5,6]"],
        ["3", "song", "1", "[8]"], ["4", "song", "2", "[9,10]"],
      ])
    let signOuts = try await rows("SELECT id, isDone, intent FROM evocation_sign_outs", database)
    #expect(signOuts == [["a", "1", "nil"], ["b", "0", "nil"], ["c", "0", "nil"]])
  }

  @Test(arguments: [
    ("decided", 0), ("done", 0), ("abandoned", 9), ("marked", 9), ("gone", 0), ("unknown", 0),
  ])
  func `A sign-out that only another file knows of is done if that one was emptied`(
    state: String, left: Int
  ) async throws {
    let other = folder.path("other.sqlite")
    if state != "gone" { try copy(to: other) }
    if !["gone", "unknown"].contains(state) {
      run("INSERT INTO evocation_sign_outs VALUES (9, 'x', '\(state)', x'7b7d')", other)
    }
    let plan = "{\"tables\":[\"song\"],\"unsent\":\"go\",\"first\":\"other.sqlite\",\"others\":[]}"
    run("INSERT INTO evocation_sign_outs VALUES (9, 'x', 'marked', CAST('\(plan)' AS BLOB))", path)
    let app = try FormatOneLists.App(path)
    #expect(try await app.songs.count() == left)
    let pending = "SELECT 1 FROM evocation_sign_outs WHERE intent IS NOT NULL"
    #expect(try await rows(pending, app.database).isEmpty)
    guard state != "gone" else { return }
    let fellow = try FormatOneLists.App(other)
    #expect(try await fellow.songs.count() == 9)
  }

  @Test(arguments: [
    "UPDATE evocation_lists SET count = -1, first = 'a', last = 0.5",
    "UPDATE evocation_list_pages SET page = 'b', count = x'00' WHERE page = 3",
    "UPDATE evocation_list_items SET page = 99, item = 0.5 WHERE item = 5 AND list = 1",
    "DELETE FROM evocation_list_pages", "DROP TABLE evocation_list_drafts",
    "UPDATE evocation_sign_outs SET state = 'marked', plan = 'text'",
    "UPDATE evocation_sign_outs SET state = 5, plan = x'ff'",
  ])
  func `Whatever its tables hold, it is moved, and loses no model`(_ sql: String) async throws {
    run(sql, path)
    let app = try FormatOneLists.App(path)
    #expect(try await app.songs.count() == 9)
    #expect(try await app.songList.refresh(force: true) == .successful)
    #expect(try await app.songList.value(from: .cache).map(\.id) == [1, 2])
  }

  #if os(macOS) || os(Linux)
    /// Makes the file so long that moving it takes a while.
    private func lengthen() {
      run(
        """
        INSERT INTO evocation_lists VALUES (9, 'long', 'none', 40000, 0, 1999);
        WITH number (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM number WHERE n < 1999) INSERT INTO \
        evocation_list_pages SELECT 9, n, 20, x'7b7d' FROM number;
        WITH number (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM number WHERE n < 39999) INSERT INTO \
        evocation_list_items SELECT 9, n / 20, n % 20, n FROM number;
        """, path)
    }

    private func expectWhole(_ path: String) async throws {
      let app = try FormatOneLists.App(path)
      try await FormatOneLists.expect(app)
      let long = "SELECT count(*), sum(count) FROM evocation_pages WHERE list = 'long'"
      #expect(try await rows(long, app.database) == [["2000", "40000"]])
      #expect(try await app.database.check().isEmpty)
      await app.database.close()
    }

    @Test func `Whoever moves it may be killed at any moment, and nothing is lost`() async throws {
      lengthen()
      var random = Trials.random("kill a move")
      var cut = 0
      for round in 0..<Child.killRounds("kill a move", 20) {
        let copy = folder.path("\(round).sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let child = try Child.start("upgrade", copy)
        let wanted = random.count(1...40)
        let text = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let all = text + (await child.text)
        cut += all.contains("opened") ? 0 : 1
        try await expectWhole(copy)
        for end in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: copy + end)
        }
      }
      #expect(cut > 0)
    }

    @Test func `Processes that open it at once move it once`() async throws {
      lengthen()
      let children = try (0..<3).map { _ in try Child.start("open", path) }
      try await expectWhole(path)
      for child in children { #expect(await child.text == "opened\n") }
      try await expectWhole(path)
    }
  #endif
}
