import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private typealias Key = Criteria.Key

private struct Person: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
  var nick: String?
  var home: Home?
  var tags: [String] = []
  var size = 0

  struct Home: Codable, Hashable, Sendable { var city: String? }
}

@Suite(.patient) struct TextOptionsTests {
  private static let like: Criteria.CompareOptions = .like

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
  }

  private func plan(
    _ criteria: Criteria, _ people: SQLiteRepository<Person>
  ) async throws -> [String] {
    let resolved = try criteria.resolved(against: people.table.plan.schema)
    let query = try people.table.selection.query(resolved)
    return try await database.read { db in
      let values = [(any CriteriaValue)?](repeating: nil, count: query.values.count)
      return try db.rows("EXPLAIN QUERY PLAN \(query.text)", values).map { row in
        guard case .text(let detail)? = row["detail"] else { return "" }
        return detail
      }
    }
  }

  @Test func `A folded index serves equality and prefixes, and contains reads the table`()
    async throws
  {
    let people = try SQLiteRepository<Person>(
      database,
      indexes: [
        SQLiteIndex(\Person.name, folded: true), SQLiteIndex("home.city", folded: true),
        SQLiteIndex(\Person.size, \.nick, folded: true),
      ])
    #expect(
      try await plan(Key("name").equals("a", options: .like), people)
        == ["SEARCH person USING INDEX person(name folded) (<expr>=?)"])
    #expect(
      try await plan(Key("name").hasPrefix("a", options: .like), people).first
        == "SEARCH person USING INDEX person(name folded) (<expr>>? AND <expr><?)")
    #expect(
      try await plan(Key("home.city").equals("a", options: .like), people)
        == ["SEARCH person USING INDEX person(home.city folded) (<expr>=?)"])
    #expect(
      try await plan(Key("size") == 1 && Key("nick").hasPrefix("a", options: .like), people).first
        == "SEARCH person USING INDEX person(size,nick folded) (size=? AND <expr>>? AND <expr><?)")
    let scans: [Criteria] = [
      Key("name").contains("a", options: .like),
      Key("name").equals("a", options: .caseInsensitive), Key("name") == "a",
    ]
    for criteria in scans {
      #expect(try await plan(criteria, people) == ["SCAN person"])
    }
  }

  @Test func `An index of key paths is the one of their coding keys`() throws {
    #expect(SQLiteIndex(\Person.name, \.home?.city) == SQLiteIndex("name", "home.city"))
    #expect(SQLiteIndex(\Person.name, isUnique: true) == .unique("name"))
    #expect(SQLiteIndex(\Person.name, folded: true) != SQLiteIndex("name"))
  }

  @Test func `A unique folded index refuses a text that differs in case and accents alone`()
    async throws
  {
    let index = SQLiteIndex(\Person.name, isUnique: true, folded: true)
    let people = try SQLiteRepository<Person>(database, indexes: [index])
    try await people.store([Person(id: 1, name: "Zoë")])
    await #expect {
      try await people.store([Person(id: 2, name: "ZOE")])
    } throws: { error in
      guard let error = error as? SQLiteError, error.code == .constraint else { return false }
      return error.description.contains("person(name folded)")
    }
    // Both exchange their names, which are the same to the index for a moment.
    try await people.store([Person(id: 3, name: "Max")])
    try await people.update([Person(id: 1, name: "max"), Person(id: 3, name: "zoe")])
    #expect(try await people.find(Criteria()).value.map(\.name) == ["max", "zoe"])
    #expect(try await database.check() == [])
  }

  @Test func `A folded index without text is refused`() {
    #expect {
      try SQLiteRepository<Person>(database, indexes: [SQLiteIndex(\Person.size, folded: true)])
    } throws: { error in
      "\(error)"
        == "Evocation cannot map the property \"size\" of Person, "
        + "because a folded index takes text, and it holds none; remove folded: true."
    }
  }

  private static let letters = [
    "a", "A", "z", "Z", "ä", "Ä", "a\u{308}", "ß", "ẞ", "ss", "ﬁ", "fi", "İ", "i", "ı", "I",
    "\u{301}", "é", "e\u{301}", "ς", "Σ", "ά", "Å", "\u{212b}", "\u{212a}", "ø", "가",
    "\u{1100}\u{1161}", "が", "か\u{3099}", "ไม้", "😀", " ", "%", "_", "\0", "ᾳ", "ŉ", "ǰ",
  ]

  private func text(_ random: inout SeededGenerator) -> String {
    (0..<random.count(0...4)).map { _ in random.pick(Self.letters) }.joined()
  }

  @Test func `Memory and a file find the same, with any options, with and without an index`()
    async throws
  {
    var random = SeededGenerator("text by options in memory and in a file")
    let models = (0..<300).map { id in
      Person(
        id: id, name: text(&random), nick: random.chance(20) ? nil : text(&random),
        home: random.chance(20) ? nil : .init(city: random.chance(20) ? nil : text(&random)),
        tags: (0..<random.count(0...2)).map { _ in text(&random) })
    }
    let memory = InMemoryRepository(models)
    let plain = try SQLiteRepository<Person>(database, table: "plain")
    let indexed = try SQLiteRepository<Person>(
      database, table: "indexed",
      indexes: ["name", "nick", "home.city"].map { SQLiteIndex(Key($0), folded: true) })
    try await plain.store(models)
    try await indexed.store(models)
    var found = 0
    for _ in 0..<400 {
      let key = random.pick([Key("name"), "nick", "home.city", "tags"])
      let comparison = key == "tags" ? .contains : random.pick(Criteria.TextComparison.allCases)
      let options = Criteria.CompareOptions(rawValue: random.count(1...3))
      let term = Criteria(.text(key, comparison, text(&random), options))
      let criteria = random.chance(20) ? !term : term
      let wanted = try await memory.find(criteria).value
      found += wanted.count
      #expect(try await plain.find(criteria).value == wanted, "\(criteria.tag)")
      #expect(try await indexed.find(criteria).value == wanted, "\(criteria.tag)")
      #expect(try await indexed.count(criteria) == wanted.count)
    }
    #expect(found > 1_000)
  }
}
