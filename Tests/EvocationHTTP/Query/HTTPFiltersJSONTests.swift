import Evocation
import EvocationHTTP
import Foundation
import Testing

@testable import TransportSuite

/// Conditions that have JSON in them.
@Suite struct HTTPFiltersJSONTests {
  private static let year = Criteria.Key("year")
  private static let name = Criteria.Key("name")

  private func text(_ filters: HTTPFilters, _ criteria: Criteria) -> String {
    var format = HTTPFormat.rest
    format.filters = filters
    do {
      return try format.queryItems(for: criteria).filter { $0.name != "sort" }
        .map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    } catch {
      return "! \((error as? HTTPError)?.reason ?? "\(error)")"
    }
  }

  private static let directus: [(Criteria, String)] = [
    (["year": 1980], #"filter={"year":{"_eq":1980}}"#),
    (["owner.name": "a\"b"], #"filter={"owner":{"name":{"_eq":"a\"b"}}}"#),
    (
      year != 1980, #"filter={"_or":[{"year":{"_neq":1980}},{"year":{"_null":true}}]}"#
    ),
    (
      (year < 1 || year.in([5, 6])) && name != nil,
      #"filter={"_and":[{"_or":[{"year":{"_lt":1}},{"year":{"_in":[5,6]}}]},"#
        + #"{"name":{"_nnull":true}}]}"#
    ),
    (!(year < 1), #"filter={"_or":[{"year":{"_gte":1}},{"year":{"_null":true}}]}"#),
    (!(year <= 1), #"filter={"_or":[{"year":{"_gt":1}},{"year":{"_null":true}}]}"#),
    (!(year > 1), #"filter={"_or":[{"year":{"_lte":1}},{"year":{"_null":true}}]}"#),
    (!(year >= 1), #"filter={"_or":[{"year":{"_lt":1}},{"year":{"_null":true}}]}"#),
    (!name.hasPrefix("x"), "! it has no \"not\""),
    (
      name.hasPrefix("x", options: .caseInsensitive), #"filter={"name":{"_istarts_with":"x"}}"#
    ),
    (name.contains("x", options: .like), "! it has no \"contains without case and accents\""),
    (!year.in([5]), #"filter={"_or":[{"year":{"_nin":[5]}},{"year":{"_null":true}}]}"#),
    (Criteria().limit(5).offset(7), "limit=5&offset=7"),
  ]

  @Test(arguments: directus.indices)
  func `Directus takes one object`(row: Int) {
    let (criteria, expected) = Self.directus[row]
    #expect(text(.directus, criteria) == expected)
  }

  /// As most GraphQL services have them.
  private static let graphQL: HTTPFilters = {
    var filters = HTTPFilters(
      [.equal: "eq", .notEqual: "ne", .less: "lt", .isIn: "in", .isNull: "eq", .contains: "has"],
      filter: .json("where", all: "and", any: "or", not: "not", isNested: true),
      order: .json("order") { #"{"by":"\#($0.name)","descending":\#($0.descending)}"# })
    filters.nulls = .unknown
    return filters
  }()

  private static let objects: [(HTTPFilters, Criteria, String)] = [
    (graphQL, year == nil, #"where={"year":{"eq":null}}"#),
    (graphQL, ["owner.name": "a,\"b"], #"where={"owner":{"name":{"eq":"a,\"b"}}}"#),
    (graphQL, year != 5, #"where={"year":{"ne":5}}"#),
    (graphQL, year.in([]), #"where={"year":{"in":[]}}"#),
    (
      graphQL, !year.in([5]),
      #"where={"or":[{"not":{"year":{"in":[5]}}},{"year":{"eq":null}}]}"#
    ),
    (graphQL, !(year >= 5), #"where={"or":[{"year":{"lt":5}},{"year":{"eq":null}}]}"#),
    (
      graphQL, Criteria().sorted(by: "year", descending: true).sorted(by: "name"),
      #"order=[{"by":"year","descending":true},{"by":"name","descending":false}]"#
    ),
    (
      HTTPFilters(
        [.isIn: "in"],
        filter: .named(list: { "[\($0.json.joined(separator: ","))]" }) {
          "\($0.name)__\($0.word)"
        }, order: .single(ascending: "_sort", descending: "_sort_desc")),
      name.in(["a", "b\"c"]).sorted(by: "year", descending: true),
      #"name__in=["a","b\"c"]&_sort_desc=year"#
    ),
    (
      HTTPFilters([:], filter: .brackets(), order: .single(ascending: "up", descending: "down")),
      Criteria().sorted(by: "year").sorted(by: "name"), "! it sorts by one key alone"
    ),
  ]

  @Test(arguments: objects.indices)
  func `Conditions and orders are JSON where a service has that`(row: Int) {
    let (filters, criteria, expected) = Self.objects[row]
    #expect(text(filters, criteria) == expected)
  }

  @Test func `A body has keys besides the models`() async throws {
    let service = Scripted { _ in (201, [:], "") }
    let things = try service.things {
      $0.format.body = .json(adding: ["return": true, "\"x\"": false])
      $0.requestEnvelope = .key("row")
    }
    _ = try await things.storeOne(Thing(id: 1))
    let body = service.asked.elements.last?.body.map { String(decoding: $0, as: UTF8.self) }
    #expect(body == #"{"row":{"id":1},"\"x\"":false,"return":true}"#)
  }

  private static let firebase: [(Criteria, String)] = [
    (["year": 1980], #"orderBy="year"&equalTo=1980"#),
    (["owner.name": "a"], #"orderBy="owner/name"&equalTo="a""#),
    (["id": 5], #"orderBy="$key"&equalTo="5""#),
    (year >= 1980, #"orderBy="year"&startAt=1980"#),
    (year <= 1980, #"orderBy="year"&startAt=-1.7976931348623157e308&endAt=1980"#),
    (name <= "b", #"orderBy="name"&startAt=""&endAt="b""#),
    (Criteria.Key("isOld") <= true, #"orderBy="isOld"&startAt=false&endAt=true"#),
    (year.between(1, and: 5), #"orderBy="year"&startAt=1&endAt=5"#),
    (name == nil, #"orderBy="name"&equalTo=null"#),
    (name != nil, #"orderBy="name"&startAt=false"#),
    (Criteria().limit(5), #"orderBy="$key"&limitToFirst=5"#),
    (Criteria().offset(5), "! it has no offset"),
    (year < 5, "! it has no \"<\""),
    (
      year >= 5 && name == "x",
      "! it allows no two items with one name, such as \"orderBy\""
    ),
    (Criteria().sorted(by: "year"), "! it has no order"),
  ]

  @Test(arguments: firebase.indices)
  func `Firebase takes one condition, or a limit`(row: Int) {
    let (criteria, expected) = Self.firebase[row]
    #expect(text(.firebase, criteria) == expected)
  }

  @Test func `A condition and an order say whether they are of the id`() throws {
    var format = HTTPFormat.rest
    format.identifierKey = "key"
    format.filters.filter = .items { [URLQueryItem(name: $0.name, value: "\($0.isIdentifier)")] }
    format.filters.order = .init { orders in
      orders.map { URLQueryItem(name: "by", value: "\($0.name) \($0.isIdentifier)") }
    }
    let criteria = (Criteria.Key("key") == 5 && Self.year == 1).sorted(by: "key").sorted(by: "year")
    #expect(
      try format.queryItems(for: criteria).map { "\($0.name)=\($0.value ?? "")" } == [
        "key=true", "year=false", "by=key true", "by=year false",
      ])
  }

  @Test func `Airtable's id is no field of a formula`() {
    #expect(
      text(.airtable, ["id": "rec1"]) == "filterByFormula=EXACT(RECORD_ID(),'rec1')")
    #expect(text(.airtable, Criteria().sorted(by: "id")) == "! it cannot sort by the id")
  }
}
