import CEvocationSQLite
import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What is true of a list after SQL of the app's own.
@Suite(.patient) struct ListSQLTests {
  /// The recipe of the page on SQLite, which leaves two rows out.
  private static let anew = SQLiteMigration(
    "allow no title",
    "CREATE TABLE newListed (id INTEGER NOT NULL, title TEXT, PRIMARY KEY (id))",
    "INSERT INTO newListed SELECT id, title FROM listed WHERE id NOT IN (2, 5)",
    "DROP TABLE listed",
    "ALTER TABLE newListed RENAME TO listed")

  /// The same the other way round.
  private static let aside = SQLiteMigration(
    "put aside",
    "ALTER TABLE listed RENAME TO oldListed",
    "CREATE TABLE listed (id INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (id))",
    "INSERT INTO listed SELECT id, title FROM oldListed WHERE id NOT IN (2, 5)",
    "DROP TABLE oldListed")

  /// Holds a list of ten, of which some are gone, against what it has to be.
  private func expect(_ ids: [Int], _ app: ListedFile.App) async throws {
    #expect(try await app.ids() == ids)
    for range in [0..<3, 2..<5, 4..<20] {
      let (shown, count) = await app.window(range)
      #expect(shown == Array(ids[range.clamped(to: 0..<ids.count)]))
      #expect(count == ids.count)
    }
  }

  @Test(arguments: [false, true])
  func `A list is true after its table was made anew, before the repository or after it`(
    _ isAfter: Bool
  ) async throws {
    for migration in [Self.anew, Self.aside] {
      let file = try await ListedFile(pages: 5, of: 12)
      let app = try ListedFile.App(file, migrations: isAfter ? [] : [migration])
      if isAfter { try app.database.migrate([migration]) }
      let rest = [1, 3, 4, 6, 7, 8, 9, 10]
      // The window is asked first, because whoever sees all of the list may mend it.
      #expect(await app.window(4..<7).ids == [7, 8, 9])
      try await expect(rest, app)
      _ = try await app.local.store([Listed(2, "again"), Listed(5, "again")])
      try await expect(rest, app)
      // What is removed from now on leaves the list again.
      _ = try await app.local.remove([Listed(4)])
      _ = try await app.local.store([Listed(4)])
      try await expect(rest.filter { $0 != 4 }, app)
      #expect(await app.list.goToNextPage() == .successful)
      #expect(try await app.ids() == [1, 3, 6, 7, 8, 9, 10, 11, 12])
      await app.database.close()
    }
  }

  @Test func `What REPLACE removes leaves the lists, and does not come back`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file, indexes: [.unique("title")])
    try await app.write(
      "INSERT OR REPLACE INTO listed VALUES (91, 't3')", "REPLACE INTO listed VALUES (92, 't8')")
    let rest = [1, 2, 4, 5, 6, 7, 9, 10]
    #expect(await app.window(3..<6).ids == [5, 6, 7])
    try await expect(rest, app)
    try await app.write("INSERT INTO listed VALUES (3, 'again')")
    try await app.write("UPDATE OR REPLACE listed SET title = 't5' WHERE id = 4")
    try await expect(rest.filter { $0 != 5 }, app)
    await app.database.close()
    let reopened = try ListedFile.App(file, indexes: [.unique("title")])
    try await expect([1, 2, 4, 6, 7, 9, 10], reopened)
    // Who is back when the transaction ends was not away.
    try await reopened.write(
      "INSERT OR REPLACE INTO listed VALUES (93, 't9')", "INSERT INTO listed VALUES (9, 'again 9')")
    try await expect([1, 2, 4, 6, 7, 9, 10], reopened)
  }

  @Test func `What a constraint of the table's own replaces leaves the lists`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    try await app.write(
      "CREATE TABLE newer (id INTEGER NOT NULL, title TEXT NOT NULL UNIQUE ON CONFLICT REPLACE, "
        + "PRIMARY KEY (id))",
      "INSERT INTO newer SELECT * FROM listed", "DROP TABLE listed",
      "ALTER TABLE newer RENAME TO listed")
    try await expect(Array(1...10), app)
    try await app.write("INSERT INTO listed VALUES (91, 't3')")
    try await expect([1, 2, 4, 5, 6, 7, 8, 9, 10], app)
  }

  @Test func `A model that is replaced by itself stays where it is listed, as it now is`()
    async throws
  {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    try await app.write("INSERT OR REPLACE INTO listed VALUES (4, 'edited')")
    try await expect(Array(1...10), app)
    #expect(try await app.list.value(from: .cache)[3] == Listed(4, "edited"))
  }

  @Test func `A model that is given another id leaves the lists`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    try await app.write("UPDATE listed SET id = 60 WHERE id = 6")
    try await app.write("UPDATE OR REPLACE listed SET id = 8 WHERE id = 7")
    try await app.write("UPDATE listed SET id = id, title = 'same' WHERE id = 1")
    try await expect([1, 2, 3, 4, 5, 8, 9, 10], app)
  }

  @Test func `What another program removes is missed at the next look at it`() async throws {
    let file = try await ListedFile(pages: 5, of: 12)
    let app = try ListedFile.App(file)
    #expect(try await app.ids() == Array(1...10))
    try removeByOther("id IN (3, 4)", file)
    #expect(await app.window(2..<5).ids == [5, 6, 7])
    try await expect([1, 2, 5, 6, 7, 8, 9, 10], app)
    try removeByOther("id = 9", file)
    try await expect([1, 2, 5, 6, 7, 8, 10], app)
    _ = try await app.local.store([Listed(3), Listed(9)])
    try await expect([1, 2, 5, 6, 7, 8, 10], app)
    #expect(app.traces.isEmpty)
  }

  @Test func `A page lists a model once that another program has removed from an earlier page`()
    async throws
  {
    let file = try await ListedFile(pages: 3, of: 8)
    let app = try ListedFile.App(file)
    try removeByOther("id = 3", file)
    file.service.items = [1, 2, 4, 5, 6, 7, 3, 8].map { Listed($0, "t\($0)") }
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [1, 2, 4, 5, 6, 3, 8])
  }

  /// Removes rows as a program does that knows nothing of lists.
  private func removeByOther(_ condition: String, _ file: ListedFile) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    #expect(sqlite3_open(file.folder.path(), &handle) == SQLITE_OK)
    let sql = "DELETE FROM listed WHERE \(condition)"
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
  }
}
