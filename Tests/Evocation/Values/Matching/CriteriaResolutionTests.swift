import Evocation
import Foundation
import Testing

@testable import CoreSupport

@Suite struct CriteriaResolutionTests {
  private typealias Key = Criteria.Key

  private func resolved(_ criteria: Criteria) throws -> Criteria {
    try criteria.resolved(against: ModelSchema.of(Sample.self))
  }

  private func sentence(_ criteria: Criteria) -> String? {
    do {
      _ = try resolved(criteria)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `a key that the model does not have is an error that names the nearest`() {
    #expect(sentence(["nmae": "x"]) == "Sample has no key \"nmae\"; did you mean \"name\"?")
    #expect(sentence(["zzzzzz": 1]) == "Sample has no key \"zzzzzz\"; use one of its coding keys.")
    #expect(
      sentence(Criteria().sorted(by: "numbr"))
        == "Sample has no key \"numbr\"; did you mean \"number\"?")
    #expect(
      sentence(["part.nam": 1])
        == "Sample has no key \"part.nam\"; did you mean \"part.name\" or \"part\"?")
    #expect(sentence(["name.x": 1])?.hasPrefix("Sample has no key \"name.x\"") == true)
    #expect(sentence(["tags.x": 1])?.hasPrefix("Sample has no key \"tags.x\"") == true)
    #expect(sentence(["open.any.thing": 1]) == nil)
    #expect(
      sentence(Key("nope").isNull && ["name": "x"])
        == "Sample has no key \"nope\"; use one of its coding keys.")
  }

  @Test func `values become what the key holds`() throws {
    let id = UUID()
    let cases: [(Criteria.Key, Criteria.Scalar, Criteria.Scalar)] = [
      ("flag", .integer(1), .bool(true)), ("flag", .integer(0), .bool(false)),
      ("number", .bool(true), .integer(1)), ("number", .real(2), .integer(2)),
      ("number", .real(2.5), .real(2.5)), ("number", .unsigned(.max), .unsigned(.max)),
      ("number", .decimal(7), .integer(7)),
      ("number", .decimal(Decimal(string: "-2.00000000000000000001") ?? 0), .real(-2.5)),
      ("large", .decimal(Decimal(UInt64.max)), .unsigned(.max)),
      ("real", .integer(3), .integer(3)), ("real", .decimal(3), .integer(3)),
      ("real", .decimal(Decimal(string: "0.1") ?? 0), .real(0.1)),
      ("price", .real(19.99), .decimal(Decimal(string: "19.99") ?? 0)),
      ("price", .integer(2), .decimal(2)), ("price", .real(1e300), .real(1e300)),
      ("key", .text(id.uuidString.lowercased()), .uuid(id)),
      ("at", .text("2001-01-01T00:00:01Z"), .date(Date(timeIntervalSinceReferenceDate: 1))),
      ("at", .text("2001-01-01T00:00:01.500Z"), .date(Date(timeIntervalSinceReferenceDate: 1.5))),
      ("at", .text("2001-01-02"), .date(Date(timeIntervalSinceReferenceDate: 86_400))),
      ("bytes", .text("AQI="), .data(Data([1, 2]))),
      ("part.at", .text("2001-01-01T00:00:01Z"), .real(1)),
      ("part.key", .text(id.uuidString.lowercased()), .text(id.uuidString)),
      ("part.flag", .integer(1), .integer(1)), ("part.flag", .bool(true), .integer(1)),
      ("part.bytes", .data(Data([1, 2])), .text("AQI=")),
      ("part.price", .real(0.1), .real(0.1)), ("open.x", .uuid(id), .text(id.uuidString)),
      ("tags", .null, .null),
    ]
    for (key, given, expected) in cases {
      let criteria = try resolved([key: given])
      #expect(criteria[key]?.criteriaValue ?? .null == expected, "\(key)")
    }
  }

  @Test func `a value that the key can never hold is an error without the value`() {
    let cases: [(Criteria, String, String)] = [
      (["number": "x"], "number", "the key holds a whole number, and the value is text"),
      (["name": 3], "name", "the key holds text, and the value is a whole number"),
      (["flag": 2], "flag", "the key holds a Boolean, and the number is neither 0 nor 1"),
      (["key": "x"], "key", "the key holds a UUID, and the text is not one"),
      (["at": "x"], "at", "the key holds a date, and the text is not one in ISO 8601"),
      (["at": 3], "at", "the key holds a date, and the value is a whole number"),
      (["bytes": "%"], "bytes", "the key holds data, and the text is not base64"),
      (["tags": "x"], "tags", "the key holds a list; ask with contains or isNull"),
      (["part": "x"], "part", "the key holds an object; name one of its keys, or ask with isNull"),
      (Key("tags") < "x", "tags", "the key holds a list; ask with contains or isNull"),
      (Key("at").hasPrefix("2"), "at", "the key holds a date, and only text has a prefix"),
      (
        Key("number").contains(2), "number",
        "the key holds a whole number, and only text and lists contain something"
      ),
      (Key("name").contains(2), "name", "the key holds text, which contains only text"),
      (Key("tags").contains(2), "tags", "the key holds text, and the value is a whole number"),
      (Criteria().sorted(by: "tags"), "tags", "the key holds a list, which has no order"),
      (Criteria().sorted(by: "part"), "part", "the key holds an object, which has no order"),
      (
        Criteria().after(.init(values: [.null], id: [.integer(1)])), "cursor",
        "the cursor was made for another order; make one for this order"
      ),
    ]
    for (criteria, key, reason) in cases {
      #expect(
        sentence(criteria) == "The criteria cannot compare \"\(key)\", because \(reason).", "\(key)"
      )
    }
  }
}
