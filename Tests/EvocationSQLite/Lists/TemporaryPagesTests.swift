import CEvocationSQLite
import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite

/// The pages that a refresh collects.
@Suite(.patient) struct TemporaryPagesTests {
  private struct Text: Codable, Sendable, Equatable {
    var text: String
  }

  private func page(
    _ number: Int, _ models: [Text], versions: [String?] = []
  ) -> CollectedPage<Text> {
    CollectedPage(models, versions: versions, requirements: Data("\(number)".utf8))
  }

  @Test func `They come back in their order, each with its models, versions and query`() throws {
    let pages = try TemporaryPages<Text>(.init())
    let all = [[Text(text: "b"), Text(text: "a\0")], [], [Text(text: "ä\"")]]
    for (number, models) in all.enumerated() { try pages.add(page(number, models)) }
    #expect(!pages.haveVersions)
    for _ in 0..<2 {
      var found: [[Text]] = []
      try pages.forEach { page in
        #expect(page.requirements == Data("\(found.count)".utf8) && page.versions.isEmpty)
        found.append(page.models)
      }
      #expect(found == all)
    }
    try pages.add(page(3, all[0], versions: [nil, "\"3\""]))
    #expect(pages.haveVersions)
    var last: CollectedPage<Text>?
    try pages.forEach { last = $0 }
    #expect(last?.models == all[0] && last?.versions == [nil, "\"3\""])
  }

  @Test func `Pages of 64 MB take few of them in memory`() throws {
    let pages = try TemporaryPages<Text>(.init())
    let text = Text(text: String(repeating: "x", count: 1 << 20))
    for number in 0..<64 { try pages.add(page(number, [text])) }
    var (used, highest): (Int32, Int32) = (0, 0)
    #expect(
      sqlite3_db_status(
        pages.connection.handle, SQLITE_DBSTATUS_CACHE_USED, &used, &highest, 0) == SQLITE_OK)
    #expect(used > 0 && used < 8 << 20)
    var count = 0
    try pages.forEach { count += $0.models == [text] ? 1 : 0 }
    #expect(count == 64)
  }

  @Test func `The app's statements run on their connection, as on every other`() throws {
    let pages = try TemporaryPages<Text>(
      .init(connectionStatements: ["PRAGMA temp_store = MEMORY"]))
    #expect(try pages.connection.integer("PRAGMA temp_store") == 2)
    #expect(throws: SQLiteError.self) {
      try TemporaryPages<Text>(.init(connectionStatements: ["SELEC"]))
    }
  }
}
