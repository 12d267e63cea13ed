import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Every number in the tables of lists as it must never be, and everything that is done with a list.
@Suite(.patient) struct ListNumberTests {
  /// A number in the file: its column, and in which row.
  struct Place: CustomTestStringConvertible, Sendable {
    let table: String
    let column: String
    var condition = "1"
    /// What may be another order, or fewer, than it was, because each row is true for itself.
    var isOfOnePage = false

    var testDescription: String { "\(table).\(column)" }
  }

  static let places = [
    Place(table: "pages", column: "list"), Place(table: "pages", column: "model"),
    Place(table: "pages", column: "count", isOfOnePage: true),
    Place(table: "pages", column: "requirements"),
    Place(table: "pages", column: "list", condition: "page = 1", isOfOnePage: true),
    Place(table: "pages", column: "page", condition: "page = 0", isOfOnePage: true),
    Place(table: "pages", column: "page", condition: "page = 1"),
    Place(table: "pages", column: "page", condition: "page = 2", isOfOnePage: true),
    Place(table: "pages", column: "ids", condition: "page = 0", isOfOnePage: true),
    Place(table: "pages", column: "ids", condition: "page = 1", isOfOnePage: true),
  ]

  static let extremes = [
    "-9223372036854775808", "-9223372036854775807", "-1", "0", "1", "1099511627777",
    "9223372036854775806", "9223372036854775807", "0.5", "1e300", "'many'", "x'00'", "NULL",
  ]

  /// What a page may have in place of its ids.
  static let arrays = [
    "'[]'", "'[null, {}, [3], \"3\", 0.5]'", "'[3, 3]'", "'[99]'", "'{\"3\": 3}'", "'[3, 4] '",
  ]

  /// A file with a list of three pages, whose columns take anything.
  private func template() async throws -> ListedFile {
    let file = try await ListedFile(pages: 3, of: 9)
    let app = try ListedFile.App(file)
    try await app.write(
      "PRAGMA writable_schema = 1",
      """
      UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'evocation_pages'
      """)
    await app.database.close()
    return file
  }

  @Test(arguments: places)
  func `A number that no list has ends nothing, holds nothing up, and costs no model`(
    _ place: Place
  ) async throws {
    let file = try await template()
    let clean = try Data(contentsOf: URL(filePath: file.folder.path()))
    let extremes = Self.extremes + (place.column == "ids" ? Self.arrays : [])
    for (number, extreme) in extremes.enumerated() {
      let path = file.folder.path("\(number).db")
      try clean.write(to: URL(filePath: path))
      if place.column == "count" { await Self.change(path, Self.schema(Self.length, "")) }
      await Self.change(
        path,
        "UPDATE OR IGNORE evocation_\(place.table) SET \(place.column) = \(extreme) WHERE "
          + place.condition)
      if place.column == "count" {
        await Self.change(path, Self.schema("INTEGER, ids", "INTEGER\(Self.length), ids"))
      }
      for order in [0, 1] {
        let copy = file.folder.path("\(number) \(order).db")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try await go(through: copy, order, file, place, "\(place.testDescription) = \(extreme)")
      }
    }
  }

  /// How SQLite is told to keep the length of a page.
  private static let length = " GENERATED ALWAYS AS (json_array_length(ids)) STORED"

  /// Returns SQL that replaces words in the definition of a table, and leaves its rows alone.
  private static func schema(_ old: String, _ new: String) -> String {
    "UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = 'evocation_pages'"
  }

  /// Runs SQL on a file; what a constraint refuses is not in any file.
  private static func change(_ path: String, _ sql: String) async {
    guard let database = try? SQLiteDatabase(path: path) else { return }
    _ = try? await database.write { db in
      try db.execute("PRAGMA writable_schema = 1")
      try db.execute(sql)
    }
    await database.close()
  }

  /// Opens the file, and reads, writes, pages and refreshes, beginning with another each time.
  private func go(
    through path: String, _ order: Int, _ file: ListedFile, _ place: Place, _ name: String
  ) async throws {
    let app = try ListedFile.App(file, path: path, refreshes: .allPages, keptPages: 4)
    let comment = Comment(rawValue: name)
    if order == 0 {
      let ids = try await app.ids()
      if !place.isOfOnePage { #expect(ids == nil || ids == Array(1...6), comment) }
      _ = await app.window(2..<4)
    }
    if order == 1 { _ = await app.list.goToNextPage() }
    // A model that is written, and one that goes and comes back.
    #expect(try await app.local.count() >= 6, comment)
    _ = try await app.local.remove([Listed(2)])
    _ = try await app.local.storeOrUpdate([Listed(2, "t2")])
    #expect(try await app.list.refresh(force: true) == .successful, comment)
    let ids = try #require(try await app.ids(), comment)
    #expect(ids.count >= 2 && ids == Array(1...ids.count), comment)
    #expect(try await app.local.find(Criteria()).value.map(\.id).starts(with: ids), comment)
    guard order == 1 else { return await app.database.close() }
    for _ in 0..<4 { _ = await app.list.goToNextPage() }
    #expect(try await app.ids() == Array(3...9), comment)
    #expect(await app.list.goToPreviousPage() == .successful, comment)
    #expect(try await app.ids() == Array(1...8), comment)
    await app.database.close()
  }

  @Test(arguments: [
    ("page = 5 WHERE page = 1", "one of its pages is missing"),
    ("page = 'a' WHERE page = 2", "one of its pages has no valid number"),
    ("page = 1099511627777 WHERE page = 0", "one of its pages has no valid number"),
    ("ids = NULL WHERE page = 1", "one of its pages is missing"),
  ])
  func `A list that is forgotten is told, and is fetched anew by who observes it`(
    change: String, reason: String
  ) async throws {
    let file = try await ListedFile(pages: 3, of: 10)
    let path = file.folder.path()
    let changer = try SQLiteDatabase(path: path)
    try await changer.write { try $0.execute("UPDATE evocation_pages SET \(change)") }
    await changer.close()
    let app = try ListedFile.App(file)
    #expect(try await app.ids() == nil)
    #expect(try await app.local.count() == 6)
    #expect(app.traces.count == 1)
    let told = try #require(app.traces.first)
    #expect(
      told.contains(
        "Evocation cannot use a list of Listed, because \(reason); the cache deletes the list, "
          + "keeps its models, and fetches it again."))
    #expect(try await app.list.refresh() == .successful)
    #expect(try await app.ids() == [1, 2])
  }

  @Test(arguments: [0, 1, 2])
  func `A list that is damaged while it is used is forgotten at the next use`(
    _ use: Int
  ) async throws {
    let file = try await ListedFile(pages: 3, of: 10)
    let app = try ListedFile.App(file)
    #expect(try await app.ids() == Array(1...6))
    try await app.write("UPDATE evocation_pages SET page = 7 WHERE page = 1")
    switch use {
    case 0:
      guard case .failed(let error) = await app.list.goToNextPage() else {
        Issue.record("The page was added.")
        return
      }
      #expect(error is ListDamage)
    case 1: #expect(try await app.list.value().map(\.id) == [1, 2])
    default: for await state in app.list.observe() where state.fetchedAt == nil { break }
    }
    #expect(app.traces.count == 1)
    if use == 0 { #expect(try await app.ids() == nil) }
    #expect(try await app.local.count() >= 2)
    try await app.list.refresh()
    #expect(await app.list.goToNextPage() == .successful)
    #expect(try await app.ids() == [1, 2, 3, 4])
  }

  @Test func `Pages that no list has go with the list when it is replaced`() async throws {
    let file = try await ListedFile(pages: 3, of: 10)
    let app = try ListedFile.App(file)
    try await app.write(
      "UPDATE evocation_pages SET page = 0.5 WHERE page = 0",
      "UPDATE evocation_pages SET page = 'b' WHERE page = 1")
    #expect(try await app.list.refresh(force: true) == .successful)
    let rows = try await app.database.read { try $0.rows("SELECT ids FROM evocation_pages") }
    #expect(rows.map { $0["ids"] } == [.text("[1,2]")])
  }
}
