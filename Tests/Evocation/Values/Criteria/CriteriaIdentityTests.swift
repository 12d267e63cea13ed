import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import CoreSupport

/// Which criteria are the same question, and which are not.
@Suite struct CriteriaIdentityTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"
  private static let key = Criteria.Key("name")

  /// The same question asked with a text.
  private static let questions: [@Sendable (String) -> Criteria] = [
    { key == $0 }, { key.hasPrefix($0) }, { key.contains($0) }, { key.in([$0]) },
    { key.between("a", and: $0) }, { !(key == $0) }, { key == 1 && (key == $0 || key > 2) },
    { Criteria().sorted(by: key).after(.init(values: [.text($0)], id: [.integer(1)])) },
    { text in key == URL(string: "http://localhost/\(text)") },
  ]

  @Test(arguments: questions.indices)
  func `texts of other bytes are other criteria, tags and answers to remember`(_ index: Int) {
    let question = Self.questions[index]
    let (first, second) = (question(Self.composed), question(Self.decomposed))
    #expect(first == question(Self.composed) && first.hashValue == first.hashValue)
    guard index < Self.questions.count - 1 else { return }
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
    #expect(first.tag != second.tag && first.tag.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func `what was fetched for a text is not fresh for one of other bytes`() async {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .repository(remote: remote).strategy(.cacheFirst(maxAge: .seconds(60)))
    for text in [Self.composed, Self.decomposed, Self.composed] {
      _ = await evocation.find(model: Car.self, criteria: ["model": text])
    }
    #expect(remote.calls.count == 2)
  }

  @Test func `a number that is none is the same question each time`() {
    let asked = Self.key == Double.nan
    #expect(asked == (Self.key == Double.nan))
    #expect(Set([asked, Self.key == Double.nan, Self.key == -Double.nan]).count == 1)
  }

  @Test func `every comparison has a name of its own, in JSON and in tags`() throws {
    var seen: Set<String> = []
    for comparison in Criteria.Comparison.allCases {
      let criteria = Criteria(.comparison("a", comparison, .init(1)))
      #expect(try json(criteria).hasPrefix(#"{"where":{"\#(comparison.rawValue)":"#))
      #expect(criteria.tag == (try json(criteria)))
      seen.insert(criteria.tag)
      let data = try JSONEncoder().encode(criteria)
      #expect(try JSONDecoder().decode(Criteria.self, from: data) == criteria)
    }
    #expect(seen.count == Criteria.Comparison.allCases.count)
  }

  @Test func `the order of values and of terms makes no other criteria`() throws {
    let key = Self.key
    let year: Criteria = key > 1 && Criteria.Key("year") == 2
    let alike: [(Criteria, Criteria)] = [
      (key.in([3, 1, 2]), key.in([1, 2, 3])), (key.in(Set(0..<50)), key.in(0..<50)),
      (key.in(["b", "a", "b"]), key.in(["a", "b"])),
      (
        Criteria(.isIn(key, [.real(2), .integer(2)])),
        Criteria(.isIn(key, [.integer(2), .real(2)]))
      ),
      (["a": 1, "b": 2], ["b": 2, "a": 1]),
      (!(year || key == 3), !(key == 3 || Criteria.Key("year") == 2 && key > 1)),
    ]
    for (left, right) in alike {
      #expect(left == right && left.hashValue == right.hashValue && left.tag == right.tag)
    }
    let others: [(Criteria, Criteria)] = [
      (key.in([1, 2]), key.in([1, 2, 3])), (key.in([2]), key.in([2.0])),
      (["a": 1, "b": 2], ["a": 2, "b": 1]), (key == 1 && key > 0, key == 1 || key > 0),
      (year && key == 3, year || key == 3), (Criteria(.all([])), Criteria(.any([]))),
      (!(key == 1 && key == 2), !(key == 1) && key == 2),
    ]
    for (left, right) in others { #expect(left != right && left.tag != right.tag) }
    #expect(key.in([1, 2, 3]).tag == (try json(key.in([1, 2, 3]))))
  }

  @Test func `a tag is the criteria as JSON, whatever else they say`() throws {
    let all: [Criteria] = [
      [:], Criteria().limit(3), Self.key == 1, (Self.key == 1 && Self.key != 2).limit(3).offset(1),
      !(Self.key == 1 || Self.key == nil), Criteria(.all([])), (Self.key == 1).sorted(by: "a"),
    ]
    for criteria in all {
      #expect(criteria.tag == (try json(criteria)))
      let copy = try JSONDecoder().decode(Criteria.self, from: Data(criteria.tag.utf8))
      #expect(copy == criteria)
    }
    let text: Criteria = Self.key == "é\u{1F697}\""
    #expect(text.tag == #"{"where":{"equal":{"key":"name","value":"\u00e9\ud83d\ude97\""}}}"#)
    #expect(try JSONDecoder().decode(Criteria.self, from: Data(text.tag.utf8)) == text)
  }

  @Test func `a tag of any value has the bytes that JSON's own encoder writes`() throws {
    let texts = [
      "", "plain", "a/b", "\"quoted\\", "line\nbreak\r\t", "\u{0}\u{8}\u{C}\u{1F}\u{7F}", "é",
      "\u{2028}",
      "\u{1F697}",
    ]
    let values: [Criteria.Scalar] =
      texts.map { .text($0) } + [
        .null, .bool(true), .bool(false), .integer(.min), .integer(.max), .unsigned(.max), .real(2),
        .real(.infinity), .real(.nan), .decimal(Decimal(string: "1.50")!),
        .date(Date(timeIntervalSinceReferenceDate: 0.1)), .uuid(UUID()), .data(Data([0, 255])),
        .url(URL(string: "https://example.com/a?b=\"c\"")!),
      ]
    for text in texts {
      let key = Criteria.Key(text)
      var terms: [Criteria.Predicate] = [.isNull(key), .hasPrefix(key, text)]
      for value in values {
        let operand = Criteria.Operand(value)
        terms += Criteria.Comparison.allCases.map { .comparison(key, $0, operand) }
        terms += [.isIn(key, [value]), .between(key, value, .integer(1)), .contains(key, operand)]
      }
      for term in terms {
        #expect(Criteria(term).tag == (try ascii(json(Criteria(term)))))
        #expect(Criteria(.not(term)).tag == (try ascii(json(Criteria(.not(term))))))
      }
    }
    let page = (Self.key == 1).sorted(by: "a").limit(3).offset(4).after(
      Criteria.Cursor(values: [.text("é")], id: [.integer(1)]))
    #expect(page.tag == (try ascii(json(page))))
  }

  /// Writes each character outside of ASCII as JSON's escapes.
  private func ascii(_ json: String) -> String {
    json.utf16.map { $0 < 0x80 ? String(UnicodeScalar(UInt8($0))) : String(format: "\\u%04x", $0) }
      .joined()
  }

  private func json(_ criteria: Criteria) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(criteria), as: UTF8.self)
  }
}
