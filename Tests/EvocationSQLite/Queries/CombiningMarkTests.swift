import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite

private typealias Key = Criteria.Key

private struct Word: Codable, Identifiable, Hashable, Sendable {
  var id: String
  var text: String
  var parts: [String] = []
  var origin: Origin?

  struct Origin: Codable, Hashable, Sendable { var language: String }
}

/// A combining mark and the character before it are one character in Swift, and not in SQL or JSON.
@Suite(.patient) struct CombiningMarkTests {
  private static let mark = "\u{301}x"
  private static let words = [
    Word(id: mark, text: mark, parts: [mark], origin: .init(language: mark)),
    Word(id: "x", text: "x", parts: ["x"], origin: .init(language: "x")),
  ]

  @Test func `A text that begins with a combining mark is found wherever it is`() async throws {
    let words = try SQLiteRepository<Word>(.inMemory(), indexes: ["text"])
    try await words.store(Self.words)
    let many = [Self.mark] + (0..<20).map { "y\($0)" }
    for criteria in [
      Key("text").in(many), Key("origin.language") == Self.mark,
      Key("origin.language").in(many), Key("parts").contains(Self.mark),
      Key("origin.language").contains("\u{301}"), Key("id") == Self.mark,
    ] as [Criteria] {
      #expect(try await words.find(criteria).value == [Self.words[0]], "\(criteria.tag)")
      #expect(try await InMemoryRepository(Self.words).find(criteria).value == [Self.words[0]])
    }
  }

  @Test func `A name with a quote before a combining mark is one name`() async throws {
    let words = try SQLiteRepository<Word>(.inMemory(), table: "a\"\u{301}'\u{301}b")
    try await words.store(Self.words)
    #expect(try await words.find(Key("origin.language") == "x").value == [Self.words[1]])
  }
}
