import Evocation
import Foundation
import Testing

@Suite struct SearchWordsTests {
  private typealias Term = SearchWords.Term

  private static let table: [(String, [Term])] = [
    ("", []), ("  ", []), ("?! -- 😀 * \"\" \"*\"", []),
    ("quick", [Term("quick")]),
    (" quick\tbrown\nfox ", [Term("quick"), Term("brown"), Term("fox")]),
    ("bro*", [Term("bro ", isPrefix: true)]), ("bro**", [Term("bro  ", isPrefix: true)]),
    ("b*ro", [Term("b ro")]), ("*bro", [Term(" bro")]),
    ("\"quick brown\" fox", [Term("quick brown"), Term("fox")]),
    ("\"quick bro\"*", [Term("quick bro", isPrefix: true)]),
    ("“quick brown”", [Term("quick brown")]), ("„quick“", [Term("quick")]),
    ("say\"quick brown", [Term("say"), Term("quick brown")]),
    ("a OR b NOT c", [Term("a"), Term("OR"), Term("b"), Term("NOT"), Term("c")]),
    ("title:x (y) ^z -w a+b", [Term("title:x"), Term("(y)"), Term("^z"), Term("-w"), Term("a+b")]),
    ("a\0b\u{7F}c", [Term("a b c")]), ("\"\u{301}x", [Term("\u{301}x")]),
    ("don't", [Term("don't")]), ("½", [Term("½")]),
  ]

  @Test(arguments: table.indices)
  func `words, phrases and prefixes are told apart, and nothing is an error`(row: Int) {
    let (words, terms) = Self.table[row]
    #expect(SearchWords(words).terms == terms)
  }

  @Test func `words are part of criteria, of their tag and of their JSON`() throws {
    let all: [Criteria] = [
      .matching("a"), .matching("á"), .matching("a\u{301}"), !.matching("a"),
      .matching("a") && Criteria.Key("b") == 1,
    ]
    #expect(Set(all).count == all.count && Set(all.map(\.tag)).count == all.count)
    for criteria in all {
      let json = try JSONEncoder().encode(criteria)
      #expect(try JSONDecoder().decode(Criteria.self, from: json) == criteria)
      #expect(criteria.predicate?.isOpaque == true)
    }
    #expect(Criteria.matching("a \"b\"").tag == #"{"where":{"matching":"a \"b\""}}"#)
    #expect(all[4].predicate?.keys == ["b"])
  }

  private struct Note: Codable, Identifiable, Sendable {
    var id: Int
  }

  @Test func `a repository in memory refuses them, and names what can find them`() async {
    let notes = InMemoryRepository([Note(id: 1)])
    let sentence =
      "Evocation cannot search Note for words, because InMemoryRepository has no full-text index; "
      + "search a SQLiteRepository whose indexes have SQLiteIndex.fullText."
    let all: [Criteria] = [
      .matching("a"), .matching(""), !.matching("a"), .matching("a").sorted(by: "id"),
    ]
    for criteria in all {
      await #expect {
        try await notes.find(criteria)
      } throws: { "\($0)" == sentence }
    }
    await #expect(throws: EvocationError.unsearchable(model: "Note", reason: "")) {
      try await notes.count(.matching("a"))
    }
  }
}
