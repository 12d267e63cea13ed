import Evocation
import Foundation
import Testing

@Suite struct CompareOptionsTests {
  private typealias Options = Criteria.CompareOptions

  private struct City: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var name: String?
    var link = URL(filePath: "/")
    var tags: [String] = []
    var size = 0
  }

  private static let name = Criteria.Key("name")

  /// A text, and what is left of it without case, without accents, and without both.
  private static let folds: [(String, String, String, String)] = [
    ("", "", "", ""),
    ("Zurich ^`~", "zurich ^`~", "Zurich ^`~", "zurich ^`~"),
    ("ZÜRICH", "zürich", "ZURICH", "zurich"),
    ("Zu\u{308}rich", "zürich", "Zurich", "zurich"),
    ("Straße", "strasse", "Straße", "strasse"),
    ("STRAẞE", "strasse", "STRAẞE", "strasse"),
    ("ﬁn", "fin", "ﬁn", "fin"),
    ("İzmir", "i\u{307}zmir", "Izmir", "izmir"),
    ("ısı", "ısı", "ısı", "ısı"),
    ("Smørrebrød", "smørrebrød", "Smørrebrød", "smørrebrød"),
    ("ΣΊΣΥΦΟΣ", "σίσυφοσ", "ΣΙΣΥΦΟΣ", "σισυφοσ"),
    ("e\u{307}\u{323}", "ẹ\u{307}", "e", "e"),
    ("=\u{338}", "\u{2260}", "=", "="), ("\u{2260}", "\u{2260}", "=", "="),
    ("Α\u{345}\u{301}", "ά\u{3b9}", "Α", "α"), ("Ά\u{345}", "ά\u{3b9}", "Α", "α"),
    ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}", "\u{d55c}", "\u{d55c}"),
    ("a\0B", "a\0b", "a\0B", "a\0b"),
  ]

  @Test(arguments: folds)
  func `each option leaves out what it says, in any script and form`(
    text: String, noCase: String, noAccents: String, neither: String
  ) {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    #expect(bytes(Options.caseInsensitive.folded(text)) == bytes(noCase))
    #expect(bytes(Options.diacriticInsensitive.folded(text)) == bytes(noAccents))
    #expect(bytes(Options.like.folded(text)) == bytes(neither))
    #expect(bytes(Options().folded(text)) == bytes(text))
  }

  private static let cities = [
    City(id: 1, name: "Zürich", tags: ["Süd", "see"]), City(id: 2, name: "ZURICH (Kreis 4)"),
    City(id: 3, name: "Winterthur bei Zu\u{308}rich"), City(id: 4, name: "Zug"), City(id: 5),
  ]

  @Test(
    arguments: [
      (name.contains("zurich", options: .like), [1, 2, 3]),
      (name.contains("zürich", options: .caseInsensitive), [1, 3]),
      (name.contains("Zurich", options: .diacriticInsensitive), [1, 3]),
      (name.hasPrefix("zÜ", options: .like), [1, 2, 4]),
      (name.hasPrefix("", options: .like), [1, 2, 3, 4]),
      (name.contains("", options: .like), [1, 2, 3, 4]),
      (name.equals("zurich", options: .like), [1]),
      (!name.equals("zurich", options: .like), [2, 3, 4, 5]),
      (name.equals("Zug", options: []), [4]),
      (name.hasPrefix("ZU", options: []), [2]),
      (name.contains("4", options: []), [2]),
      (Criteria.Key("tags").contains("SUD", options: .like), [1]),
      (Criteria.Key("tags").contains("SU", options: .like), []),
      (Criteria.Key("link").hasPrefix("FILE:", options: .caseInsensitive), [1, 2, 3, 4, 5]),
    ] as [(Criteria, [Int])])
  func `text is found without case and accents`(criteria: Criteria, ids: [Int]) async throws {
    #expect(try await InMemoryRepository(Self.cities).find(criteria).value.map(\.id) == ids)
  }

  @Test func `key paths compare with options too`() async throws {
    let cities = InMemoryRepository(Self.cities)
    let all: [(Criteria.Of<City>, [Int])] = [
      (.contains(\.name, "zurich", options: .like), [1, 2, 3]),
      (.hasPrefix(\.name, "zu", options: .like), [1, 2, 4]),
      (.equals(\.name, "zurich", options: .like), [1]),
      (.contains(\.tags, "SEE", options: .caseInsensitive), [1]),
    ]
    for (criteria, ids) in all {
      #expect(try await cities.find(criteria.criteria).value.map(\.id) == ids)
    }
  }

  @Test func `a key that holds no text is refused`() async {
    let size = Criteria.Key("size")
    for (criteria, key, reason) in [
      (size.equals("1", options: .like), "size", "a whole number, and options compare only text"),
      (
        size.contains("1", options: .like), "size",
        "a whole number, and options compare only text and lists of it"
      ),
      (
        Criteria.Key("tags").hasPrefix("a", options: .like), "tags",
        "a list, and options compare only text"
      ),
    ] {
      await #expect {
        try await InMemoryRepository(Self.cities).find(criteria)
      } throws: { error in
        "\(error)" == "The criteria cannot compare \"\(key)\", because the key holds \(reason)."
      }
    }
  }

  @Test func `options are part of criteria, of their tag and of their JSON`() throws {
    let like = Self.name.contains("é", options: .like)
    let all: [Criteria] =
      [like, Self.name.contains("é"), Self.name.contains("e\u{301}", options: .like)]
      + [Options.caseInsensitive, .diacriticInsensitive].flatMap { options in
        Criteria.TextComparison.allCases.map { Criteria(.text("name", $0, "é", options)) }
      }
    #expect(Set(all).count == all.count)
    #expect(Set(all.map(\.tag)).count == all.count)
    for criteria in all {
      let json = try JSONEncoder().encode(criteria)
      #expect(try JSONDecoder().decode(Criteria.self, from: json) == criteria)
    }
    #expect(
      like.tag == """
        {"where":{"text":{"comparison":"contains","key":"name","options":["caseInsensitive",\
        "diacriticInsensitive"],"text":"\\u00e9"}}}
        """)
    #expect(like.predicate?.keys == [Self.name])
  }

  @Test func `another option cannot be read or made`() throws {
    let json = """
      {"where":{"text":{"comparison":"equal","key":"name","options":["widthInsensitive"],"text":"a"}}}
      """
    #expect {
      try JSONDecoder().decode(Criteria.self, from: Data(json.utf8))
    } throws: { error in
      guard case .dataCorrupted(let context)? = error as? DecodingError else { return false }
      return context.debugDescription
        == "Criteria compare text with the options \"caseInsensitive\" and "
        + "\"diacriticInsensitive\", and not \"widthInsensitive\"."
    }
    let foundation: String.CompareOptions = [.widthInsensitive, .numeric, .caseInsensitive]
    #expect(Options(rawValue: Int(foundation.rawValue)) == .caseInsensitive)
  }
}
