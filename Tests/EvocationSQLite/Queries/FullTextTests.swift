import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private typealias Key = Criteria.Key

private struct Article: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var title: String
  var body: String?
  var number = 0
  var source: Source?
  var tags: [String] = []

  struct Source: Codable, Hashable, Sendable { var name: String? }

  init(_ id: String, _ title: String, _ body: String? = nil, number: Int = 0) {
    (self.id, self.title, self.body, self.number) = (id, title, body, number)
  }
}

/// A model whose id is the number of its row.
private struct Line: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var text: String
}

/// What criteria with words find, and in which order.
@Suite(.patient) struct FullTextTests {
  private static let articles = [
    Article("a", "Quick start", "How the brown fox got quick, quick, quick.", number: 3),
    Article("b", "The fox", "A quick one.", number: 1),
    Article("c", "Zürich", "Trams, and a lazy dog.", number: 2),
    Article("d", "Browning"),
  ]

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let articles: SQLiteRepository<Article>

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    articles = try SQLiteRepository(
      database, indexes: [.fullText(\Article.title, \.body, \.source?.name)])
    try await articles.store(Self.articles)
  }

  private func ids(_ criteria: Criteria) async throws -> [String] {
    let found = try await articles.find(criteria).value.map(\.id)
    #expect(try await articles.count(criteria) == found.count)
    #expect(try await articles.exists(criteria) == !found.isEmpty)
    return found
  }

  @Test(
    arguments: [
      ("quick", ["a", "b"]), ("QUICK fox", ["b", "a"]), ("bro*", ["d", "a"]), ("bro", []),
      ("\"brown fox\"", ["a"]), ("\"fox brown\"", []), ("\"brown f\"*", ["a"]),
      ("zurich", ["c"]), ("Zu\u{308}rich", ["c"]), ("quick zurich", []),
      ("", ["a", "b", "c", "d"]), ("😀 ?!", ["a", "b", "c", "d"]), ("quick 😀", ["a", "b"]),
    ] as [(String, Set<String>)])
  func `Words, phrases and prefixes find the models that have all of them`(
    words: String, wanted: Set<String>
  ) async throws {
    #expect(try await Set(ids(.matching(words))) == wanted)
  }

  @Test func `Nothing that a user types is an error`() async throws {
    var random = SeededGenerator("words that a user types")
    let pieces = [
      "\"", "*", "“", "(", ")", "AND", "OR", "NOT", "NEAR(", ":", "title:", "^", "-", "+", "{", "}",
      " ", "'", "''", "\\", "\0", "\n", "quick", "é", "\u{301}", "😀", ",", ";", "--", "/*", "?",
      "%",
    ]
    for _ in 0..<500 {
      let words = (0..<random.count(0...8)).map { _ in random.pick(pieces) }.joined()
      _ = try await articles.find(.matching(words))
    }
    _ = try await articles.find(.matching(String(repeating: "quick ", count: 5_000)))
  }

  @Test func `The best come first, and an order of the criteria comes before that`() async throws {
    let quick = Criteria.matching("quick")
    #expect(try await ids(quick) == ["a", "b"])
    #expect(try await ids(quick.sorted(by: "number")) == ["b", "a"])
    #expect(try await ids(quick.limit(1)) == ["a"])
    #expect(try await ids(quick.offset(1)) == ["b"])
    #expect(try await articles.findOne(quick).value?.id == "a")
    #expect(try await ids(quick && Key("number") < 3) == ["b"])
    #expect(try await ids(Key("number") >= 1 && .matching("fox") && .matching("one")) == ["b"])
    var streamed: [String] = []
    for try await article in articles.stream(quick) { streamed.append(article.id) }
    #expect(streamed == ["a", "b"])
  }

  @Test func `Words stand in any other criteria`() async throws {
    #expect(try await ids(!.matching("quick")) == ["c", "d"])
    #expect(try await ids(.matching("lazy") || Key("id") == "d") == ["c", "d"])
    #expect(try await articles.removeAll(matching: .matching("quick").limit(1)) == 1)
    #expect(try await ids(.matching("quick")) == ["b"])
    #expect(try await articles.removeAll(matching: .matching("quick")) == 1)
    #expect(try await ids(Criteria()) == ["c", "d"])
  }

  @Test func `The index finds the words, and each row by its key`() async throws {
    let criteria = Criteria.matching("quick") && Key("number") < 3
    #expect(
      try await articles.plan(for: criteria) == [
        "SCAN evocation_text(article) VIRTUAL TABLE INDEX 0:M3",
        "SEARCH evocation_numbers(article) USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH article USING INDEX sqlite_autoindex_article_1 (id=?)",
        "USE TEMP B-TREE FOR ORDER BY",
      ])
    let lines = try SQLiteRepository<Line>(database, indexes: [.fullText("text")])
    #expect(
      try await lines.plan(for: .matching("quick")) == [
        "SCAN evocation_text(line) VIRTUAL TABLE INDEX 0:M1",
        "SEARCH line USING INTEGER PRIMARY KEY (rowid=?)", "USE TEMP B-TREE FOR ORDER BY",
      ])
  }

  @Test func `A cursor has no place among the best`() async throws {
    let cursor = try Criteria().cursor(at: Self.articles[0])
    await #expect {
      try await articles.find(.matching("quick").after(cursor))
    } throws: { error in
      "\(error)" == "The criteria cannot compare \"cursor\", because the best matches come first, "
        + "which is an order without cursors; use an offset, or sort by a key."
    }
    let byNumber = Criteria.matching("quick").sorted(by: "number")
    let next = byNumber.after(try byNumber.cursor(at: Self.articles[1]))
    #expect(try await ids(next) == ["a"])
  }

  @Test func `A table without the index refuses words, and says what to declare`() async throws {
    let plain = try SQLiteRepository<Line>(database, table: "plain")
    let sentence =
      "Evocation cannot search Line for words, because the table \"plain\" has no full-text index; "
      + "add SQLiteIndex.fullText with the properties to search to its indexes."
    for criteria in [.matching("a"), !.matching("a"), .matching("")] as [Criteria] {
      await #expect {
        try await plain.find(criteria)
      } throws: { "\($0)" == sentence }
    }
  }

  @Test(
    arguments: [
      (
        [.fullText(\Article.number)], "the property \"number\" of ",
        "a full-text index takes text, and it holds a whole number"
      ),
      (
        [.fullText(\Article.tags)], "the property \"tags\" of ",
        "a full-text index takes text, and it holds a list"
      ),
      (
        [.fullText("title"), .fullText("body")], "the property \"body\" of ",
        "a table has one full-text index; name all its properties in one fullText"
      ),
    ] as [([SQLiteIndex], String, String)])
  func `An index that does not fit is refused`(
    indexes: [SQLiteIndex], what: String, reason: String
  ) throws {
    #expect {
      try SQLiteRepository<Article>(database, indexes: indexes)
    } throws: { "\($0)" == "Evocation cannot map \(what)Article, because \(reason)." }
  }

  @Test func `An observer sees who has the words after each change`() async throws {
    try await Evocation(articles).following(.matching("quick")) { next in
      #expect(try await next() == ["a", "b"])
      var changed = Self.articles[0]
      (changed.title, changed.body) = ("Slow", nil)
      try await articles.update([changed])
      #expect(try await next() == ["b"])
      try await articles.store([Article("e", "Quick")])
      #expect(try await next() == ["e", "b"])
    }
  }
}

extension Evocation {
  fileprivate convenience init(_ articles: SQLiteRepository<Article>) throws {
    self.init()
    try register(Article.self, local: articles)
  }

  /// Runs the body, which may ask for the ids of each next answer.
  fileprivate func following(
    _ criteria: Criteria, _ body: (() async throws -> [String]?) async throws -> Void
  ) async throws {
    var iterator = observe(model: Article.self, criteria: criteria).makeAsyncIterator()
    try await body { await iterator.next()?.data?.map(\.id) }
  }
}
