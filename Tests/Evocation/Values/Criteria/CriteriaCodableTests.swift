import Evocation
import Foundation
import Testing

@Suite struct CriteriaCodableTests {
  @Test func `criteria are written as readable JSON`() throws {
    let criteria = (Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B"))
      .sorted(by: "year", descending: true).limit(20)
    #expect(
      try json(criteria) == """
        {"limit":20,"order":[{"descending":true,"key":"year"}],"where":{"all":[\
        {"greaterOrEqual":{"key":"year","value":2000}},\
        {"not":{"hasPrefix":{"key":"model","prefix":"B"}}}]}}
        """)
    #expect(try json(Criteria()) == "{}")
  }

  @Test func `criteria come back from JSON as they were`() throws {
    let a = Criteria.Key("a")
    let link = try #require(URL(string: "http://a/"))
    let values: [Criteria.Scalar] = [
      .null, .bool(true), .integer(.min), .unsigned(.max), .real(0.1), .real(2), .real(-.infinity),
      .decimal(Decimal(string: "1.10") ?? 0), .decimal(.nan), .text(""), .date(Date()),
      .uuid(UUID()),
      .data(Data([0, 255])), .url(link),
    ]
    var all: [Criteria] = [
      [:], a.isNull, a.in(values), a.between(1, and: 2.5), a.hasPrefix("é\0"), !a.isNull,
      a == 1 || a == nil, Criteria(.any([])), Criteria(.all([])), Criteria().offset(3),
    ]
    for value in values {
      all.append(a.contains(value))
      all.append(Criteria().sorted(by: "a").after(.init(values: [value], id: [value, .null])))
      for comparison in Criteria.Comparison.allCases {
        all.append(Criteria(.comparison("a.b", comparison, Criteria.Operand(value))))
      }
    }
    for criteria in all {
      let data = try JSONEncoder().encode(criteria)
      #expect(try JSONDecoder().decode(Criteria.self, from: data) == criteria)
    }
  }

  @Test(arguments: [
    (
      #"{"wher": {}}"#,
      #"Criteria have no "wher", only "where", "order", "limit", "offset", "after"."#
    ),
    (#"{"limit": -1}"#, "The limit is negative."),
    (
      #"{"where": {}}"#,
      #"A predicate is an object with one operator, such as "equal"; here there is none."#
    ),
    (
      #"{"where": {"like": 1}}"#,
      #"A predicate is an object with one operator, such as "equal"; here is "like"."#
    ),
    (
      #"{"where": {"equal": {"key": "a", "value": {"date": "x"}}}}"#,
      "The text is not a valid date."
    ),
    (#"{"where": {"equal": {"key": "a", "value": {}}}}"#, "There is no value of any kind."),
  ])
  func `malformed JSON is an error that says what is wrong`(json: String, sentence: String) {
    do {
      _ = try JSONDecoder().decode(Criteria.self, from: Data(json.utf8))
      Issue.record("It was accepted.")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.debugDescription == sentence)
    } catch {
      Issue.record("\(error)")
    }
  }

  private func json(_ criteria: Criteria) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(criteria), as: UTF8.self)
  }
}
