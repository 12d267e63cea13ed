import Evocation
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct KeyPathProofTests {
  enum Body: String, Codable, CaseIterable, CriteriaValue {
    case sedan, coupe, van
  }

  struct Address: Codable, Hashable, Sendable {
    var city: String
    var zip: Int
  }

  /// A value that is kept within a range.
  @propertyWrapper struct Clamped: Codable, Hashable, Sendable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 0), 100) }

    init(from decoder: any Decoder) throws {
      self.init(wrappedValue: try decoder.singleValueContainer().decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  struct Auto: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var name: String
    var nick: String?
    var year: Int
    var price: Double
    var active: Bool
    var hidden: Bool
    var seen: Date
    var tags: [String]
    var body: Body
    var home: Address
    var work: Address?
    var watched: Int { didSet { changes += 1 } }
    @Clamped var percent: Int
    private var changes = 0

    enum CodingKeys: String, CodingKey {
      case id, name, nick, year, price, active, hidden, seen, tags, body, home, work
      case watched = "seen_by", percent
    }
  }

  final class Boat: Codable, Identifiable, Sendable {
    let id: Int
    let length: Double
    let berth: Address

    init(id: Int, length: Double, berth: Address) {
      (self.id, self.length, self.berth) = (id, length, berth)
    }

    var span: Double { length.rounded() }
    var metres: Double { max(length, 0) }
  }

  private static var computed: [PartialKeyPath<Auto>] {
    [
      \.lower, \.trimmed, \.firstWord, \.short, \.positive, \.capped, \.rounded, \.visible,
      \.withVAT,
      \.label, \.tags.count, \.name.count, \.title, \.magnitude, \.century, \.shown, \.listed,
      \.offered, \.day, \.sortedTags, \.firstTags, \.usualBody, \.city, \.homeCity, \.plainName,
      \.letters, \.fresh, \.worded, \.either, \.decade,
    ]
  }

  @Test func `what a property computes is no key, however harmless it looks`() {
    for path in Self.computed {
      #expect(Criteria.Key(path).name.hasPrefix(#"\Auto."#), "\(path)")
    }
    #expect(Criteria.Key(\Boat.span).name.hasPrefix(#"\Boat."#))
    #expect(Criteria.Key(\Boat.metres).name.hasPrefix(#"\Boat."#))
  }

  @Test func `what is stored is a key, wherever it is stored`() {
    #expect(Criteria.Key(\Auto.watched) == "seen_by")
    #expect(Criteria.Key(\Auto.percent) == "percent")
    #expect(Criteria.Key(\Auto.home.city) == "home.city")
    #expect(Criteria.Key(\Auto.work?.zip) == "work.zip")
    #expect(Criteria.Key(\Auto.nick) == "nick")
    #expect(Criteria.Key(\Auto.tags) == "tags")
    #expect(Criteria.Key(\Boat.length) == "length")
    #expect(Criteria.Key(\Boat.berth.zip) == "berth.zip")
  }

  @Test func `another name for a stored property is its key`() {
    #expect(Criteria.Key(\Auto.alias) == "name")
    #expect(Criteria.Key(\Auto.shape) == "body")
    #expect(Criteria.Key(\Auto.homeZip) == "home.zip")
  }

  @Test func `criteria with a computed property are an error, and not a wrong answer`() async {
    let repository = InMemoryRepository<Auto>()
    let criteria: Criteria.Of<Auto> = \.lower == "bmw"
    await #expect {
      try await repository.find(criteria.criteria)
    } throws: {
      guard case .unknownKey(let key, model: "Auto", _) = $0 as? EvocationError else {
        return false
      }
      return key.contains("computed")
    }
  }
}

extension KeyPathProofTests.Auto {
  var lower: String { name.lowercased() }
  var trimmed: String { name.trimmingCharacters(in: .whitespacesAndNewlines) }
  var firstWord: String { name.split(separator: " ").first.map(String.init) ?? "" }
  var short: String { String(name.prefix(8)) }
  var positive: Int { max(0, year) }
  var capped: Int { min(2010, year) }
  var rounded: Double { price.rounded() }
  var visible: Bool { active && year < 2020 }
  var withVAT: Double { price * 1.19 }
  var label: String { name + (nick ?? "") }
  var title: String? { nick ?? name }
  var magnitude: Int { abs(year) }
  var century: Int { year % 100 }
  var shown: Bool { active && !hidden }
  var listed: Bool { active && tags.count < 2 }
  var offered: Bool { active || price > 1_000 }
  var day: Date { Date(timeIntervalSince1970: seen.timeIntervalSince1970.rounded(.down)) }
  var sortedTags: [String] { tags.sorted() }
  var firstTags: [String] { Array(tags.prefix(3)) }
  var usualBody: Body { body == .van ? .sedan : body }
  var city: String { work?.city ?? "" }
  var homeCity: String { home.city.capitalized }
  var plainName: String { name.folding(options: .diacriticInsensitive, locale: nil) }
  var letters: String { name.filter { !$0.isPunctuation } }
  var fresh: Bool { active && seen > Date(timeIntervalSinceReferenceDate: 0) }
  var worded: Bool { active && name.isEmpty }
  var either: Int { hidden ? id : year }
  var decade: Int { year / 10 * 10 }
  var alias: String { name }
  var shape: KeyPathProofTests.Body { body }
  var homeZip: Int {
    get { home.zip }
    set { home.zip = newValue }
  }
  typealias Body = KeyPathProofTests.Body
}
