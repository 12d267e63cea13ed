import Evocation
import EvocationHTTP
import Foundation
import Testing

@Suite struct QuerySchemeTests {
  private static let year = Criteria.Key("year")
  private static let name = Criteria.Key("name")
  private static let day = Date(timeIntervalSince1970: 86400)
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private static let link =
    URL(string: "https://example.org/cars?page=2&q=a+b%26c") ?? URL(filePath: "/")

  private static let sayable: [(Criteria, String)] = [
    (Criteria(), ""),
    (["origin": "Japan"], "origin=Japan"),
    (["origin": "Japan", "year": 1970], "origin=Japan&year=1970"),
    (["owner": nil], "owner[null]=true"),
    (Criteria.Key("owner").isNull, "owner[null]=true"),
    (Criteria.Key("owner") != nil, "owner[null]=false"),
    (year != 2000, "year[ne]=2000"),
    (year < 2000, "year[lt]=2000"),
    (year <= 2000, "year[lte]=2000"),
    (year > 2000, "year[gt]=2000"),
    (year >= 2000, "year[gte]=2000"),
    (year.in([1970, 1982]), "year[in]=1970,1982"),
    (year.in([Int]()), "year[in]="),
    (name.in(["a,b", "c", "say \"hi\"", ""]), "name[in]=\"a,b\",c,\"say \"\"hi\"\"\",\"\""),
    (year.between(1971, and: 1973), "year[between]=1971,1973"),
    (name.hasPrefix("ford, a"), "name[prefix]=ford, a"),
    (name.contains("sw"), "name[contains]=sw"),
    (year >= 1970 && year < 1980 && name == "x", "year[gte]=1970&year[lt]=1980&name=x"),
    (Criteria().sorted(by: "year", descending: true).sorted(by: "name"), "sort=-year,name"),
    (Criteria().limit(20).offset(40), "limit=20&offset=40"),
    (Criteria().limit(0), "limit=0"),
    (Criteria().after(Criteria.Cursor(values: [.integer(3)], id: [.integer(17)])), "after=17"),
    (
      Criteria().limit(5).after(.link(link)),
      "page=2&q=a b&c"
    ),
    (Criteria().after(.text("abc")), "after=abc"),
    (["owner.city": "Kyoto"], "owner.city=Kyoto"),
    (["price": 2.5, "sold": true], "price=2.5&sold=true"),
    (["id": uuid], "id=01020304-0506-0708-090A-0B0C0D0E0F10"),
    (["day": day], "day=1970-01-02T00:00:00Z"),
    (["day": day + 0.25], "day=1970-01-02T00:00:00.250Z"),
    (!(year == 2000), "year[ne]=2000"),
    (!Criteria.Key("owner").isNull, "owner[null]=false"),
  ]

  private static let parameter =
    "its parameter \"search\" takes one value, and cannot be compared"

  private static let unsayable: [(Criteria, String)] = [
    (Criteria(.all([.any([])])), "it has no group without conditions"),
    (year == 1 || year == 2, "it has no \"or\""),
    (!(year < 1), "it has no \"not\""),
    (year > 1 && !(name.hasPrefix("x")), "it has no \"not\""),
    (["limit": 5], "the key \"limit\" is not a field in this scheme"),
    (["a[b]": 5], "the key \"a[b]\" is not a field in this scheme"),
    (["search": 5, "x": 5] && Criteria.Key("search") != 5, parameter),
    (Criteria.Key("search").in([5]), parameter),
    (!(Criteria.Key("search") == 5), parameter),
    (Criteria.Key("search") == 5 || year == 5, parameter),
    (Criteria().sorted(by: "search"), "it cannot sort by \"search\""),
    (Criteria().sorted(by: "-x"), "the key \"-x\" is not a field in this scheme"),
    (["x": Double.nan], "its \"=\" cannot compare \"x\" with null, NaN or infinity"),
    (
      Criteria(.isIn("x", [.null])), "its \"in\" cannot compare \"x\" with null, NaN or infinity"
    ),
    (
      Criteria().after(.init(values: [], id: [.integer(1), .integer(2)])),
      "its \"after\" takes a cursor whose id is one value"
    ),
  ]

  @Test(arguments: sayable)
  func `Criteria become query items`(criteria: Criteria, expected: String) throws {
    let items = try HTTPFormat.rest.queryItems(for: criteria)
    #expect(items.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&") == expected)
  }

  @Test(arguments: unsayable)
  func `What the scheme cannot say is an error that names it`(
    criteria: Criteria, reason: String
  ) throws {
    var configuration = HTTPFormat.rest
    configuration.parameters = ["search"]
    let error = #expect(throws: HTTPError.self) { try configuration.queryItems(for: criteria) }
    #expect(error?.code == .unsupportedCriteria)
    #expect(error?.failureKind == .permanent)
    #expect(
      error?.description
        == "The query scheme cannot express the criteria: \(reason); change the criteria, write "
        + "format.filters that can express them, or let format.filtersHere filter on the device."
    )
  }

  @Test func `Criteria that nothing can nest are refused as by every repository`() {
    let criteria = (0..<10_000).reduce(Self.year == 1) {
      $1.isMultiple(of: 2) ? Self.name == 2 && $0 : Self.name == 1 || $0
    }
    #expect(throws: EvocationError.nestedTooDeeply(most: 400)) {
      try HTTPFormat.rest.queryItems(for: criteria)
    }
  }

  @Test func `Dates are written as the encoder writes those of the models`() throws {
    var configuration = HTTPFormat.rest
    configuration.encoder = {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      return encoder
    }
    let items = try configuration.queryItems(for: ["day": Self.day])
    #expect(items == [URLQueryItem(name: "day", value: "86400")])
  }
}
