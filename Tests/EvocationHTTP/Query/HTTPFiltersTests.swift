import Evocation
import EvocationHTTP
import Foundation
import Testing

/// What each kind of filters says of the same criteria.
@Suite struct HTTPFiltersTests {
  private static let year = Criteria.Key("year")
  private static let name = Criteria.Key("name")
  private static let day = Date(timeIntervalSince1970: 86400)

  /// The kinds, in the order of the columns below.
  private static let kinds: [HTTPFilters] = [.brackets, .suffixes, .prefixes, .postgREST]

  private static let noOr = "! it has no \"or\""
  private static let noNot = "! it has no \"not\""
  private static let noOffset = "! it has no offset"
  private static let empty =
    "! its \"=\" ignores an empty text, which \"name\" is compared with"
  private static let noPrefix = "! it has no \"prefix\""
  private static let comma = "! its lists cannot hold a value with \",\""
  private static let noList = "! its lists cannot be empty"
  private static let noLike = "! it has no \"contains without case and accents\""
  private static let noAfter = "! it has no way to continue after a model"

  /// What Kinto needs beside a bound.
  private static func present(_ bounds: String) -> String {
    "has_year=true&\(bounds)&not_year=null"
  }

  /// Criteria, and a column for each kind; an exclamation mark stands before a refusal.
  private static let table: [(Criteria, [String])] = [
    (year == 1970, ["year=1970", "year=1970", "year=1970", "year=eq.1970"]),
    (name == "a b", ["name=a b", "name=a b", "name=\"a b\"", "name=eq.a b"]),
    (name == "1970", ["name=1970", "name=1970", "name=\"1970\"", "name=eq.1970"]),
    (name == "", ["name=", empty, "name=\"\"", "name=eq."]),
    (name == "a\"b", ["name=a\"b", "name=a\"b", "name=\"a\\\"b\"", "name=eq.a\"b"]),
    (
      ["owner": nil],
      ["owner[null]=true", "owner__isnull=true", "owner=null", "owner=is.null"]
    ),
    (
      Criteria.Key("owner") != nil,
      [
        "owner[null]=false", "owner__isnull=false", "has_owner=true&not_owner=null",
        "owner=not.is.null",
      ]
    ),
    (
      year != 1970,
      ["year[ne]=1970", "! it has no \"!=\"", "not_year=1970", "year=isdistinct.1970"]
    ),
    (
      year < 1970,
      ["year[lt]=1970", "year__lt=1970", present("lt_year=1970"), "year=lt.1970"]
    ),
    (
      year <= 1970,
      ["year[lte]=1970", "year__lte=1970", present("max_year=1970"), "year=lte.1970"]
    ),
    (
      year > 1970,
      ["year[gt]=1970", "year__gt=1970", present("gt_year=1970"), "year=gt.1970"]
    ),
    (
      year >= 1970,
      ["year[gte]=1970", "year__gte=1970", present("min_year=1970"), "year=gte.1970"]
    ),
    (year.in([1, 2]), ["year[in]=1,2", "year__in=1,2", "in_year=1,2", "year=in.(1,2)"]),
    (
      name.in(["a,b", "c \"d\""]),
      [
        "name[in]=\"a,b\",\"c \"\"d\"\"\"", comma,
        "in_name=\"a\\u002cb\",\"c \\\"d\\\"\"", "name=in.(\"a,b\",\"c \\\"d\\\"\")",
      ]
    ),
    (
      name.in(["", "null"]),
      [
        "name[in]=\"\",null",
        "! its \"in\" ignores an empty text, which \"name\" is compared with",
        "in_name=\"\",\"null\"", "name=in.(\"\",\"null\")",
      ]
    ),
    (year.in([Int]()), ["year[in]=", noList, noList, "year=in.()"]),
    (
      year.between(1, and: 2),
      [
        "year[between]=1,2", "year__gte=1&year__lte=2", present("min_year=1&max_year=2"),
        "year=gte.1&year=lte.2",
      ]
    ),
    (
      name.hasPrefix("a%b_"),
      [
        "name[prefix]=a%b_", "name__startswith=a%b_", "! it has no \"prefix\"",
        "name=like.a\\%b\\_*",
      ]
    ),
    (
      name.hasPrefix(""),
      ["name[prefix]=", "name__isnull=false", "! it has no \"prefix\"", "name=like.*"]
    ),
    (
      name.hasPrefix("a*"),
      [
        "name[prefix]=a*", "name__startswith=a*", "! it has no \"prefix\"",
        "! its \"prefix\" cannot find an asterisk",
      ]
    ),
    (
      name.contains("s, w"),
      [
        "name[contains]=s, w", "name__contains=s, w", "! it has no \"contains\"",
        "name=like.*s, w*",
      ]
    ),
    (
      ["owner.city": "Kyoto"],
      ["owner.city=Kyoto", "owner__city=Kyoto", "owner.city=\"Kyoto\"", "owner->>city=eq.Kyoto"]
    ),
    (
      Criteria.Key("a.b.c") > 5,
      [
        "a.b.c[gt]=5", "a__b__c__gt=5", "has_a.b.c=true&gt_a.b.c=5&not_a.b.c=null",
        "a->b->c=gt.5",
      ]
    ),
    (
      Criteria.Key("a.b.c").in(["x"]),
      ["a.b.c[in]=x", "a__b__c__in=x", "in_a.b.c=\"x\"", "a->b->>c=in.(x)"]
    ),
    (
      Criteria().sorted(by: "owner.age"),
      [
        "sort=owner.age", "ordering=owner__age", "_sort=owner.age,id",
        "order=owner->age.asc.nullsfirst,id",
      ]
    ),
    (
      ["day": day],
      [
        "day=1970-01-02T00:00:00Z", "day=1970-01-02T00:00:00Z", "day=1970-01-02T00:00:00Z",
        "day=eq.1970-01-02T00:00:00Z",
      ]
    ),
    (
      ["price": Decimal(sign: .plus, exponent: -2, significand: 1050), "sold": true],
      [
        "price=10.5&sold=true", "price=10.5&sold=true", "price=10.5&sold=true",
        "price=eq.10.5&sold=eq.true",
      ]
    ),
    (
      year == 1 || name == "a,b",
      [noOr, noOr, noOr, "or=(year.eq.1,name.eq.\"a,b\")"]
    ),
    (
      year < 1 || (year > 2 && name.hasPrefix("x y")),
      [noOr, noOr, noPrefix, "or=(year.lt.1,and(year.gt.2,name.like.\"x y*\"))"]
    ),
    (
      name.isNull || name.contains("50%") || name.in(["a.b", "c"]),
      [
        noOr, noOr, "! it has no \"contains\"",
        "or=(name.is.null,name.like.\"*50\\\\%*\",name.in.(\"a.b\",c))",
      ]
    ),
    (
      !(year < 1),
      [noNot, noNot, noNot, "or=(year.gte.1,year.is.null)"]
    ),
    (
      !(name.hasPrefix("a") || year.isNull),
      [
        noNot, noNot, noPrefix, "or=(name.not.like.a*,name.is.null)&year=not.is.null",
      ]
    ),
    (
      !year.between(1, and: 2),
      [
        noNot, noOr, noOr, "or=(year.lt.1,year.is.null,year.gt.2,year.is.null)",
      ]
    ),
    (
      !(year == 1 && !(name == "x")),
      [noOr, noOr, noOr, "or=(year.isdistinct.1,name.eq.x)"]
    ),
    (!(year == 1), ["year[ne]=1", noNot, "not_year=1", "year=isdistinct.1"]),
    (!(year != 1), ["year=1", "year=1", "year=1", "year=eq.1"]),
    (
      Criteria().sorted(by: "year", descending: true).sorted(by: "name"),
      [
        "sort=-year,name", "ordering=-year,name", "_sort=-year,name,id",
        "order=year.desc.nullslast,name.asc.nullsfirst,id",
      ]
    ),
    (
      Criteria().sorted(by: "id", descending: true),
      ["sort=-id", "ordering=-id", "_sort=-id", "order=id.desc.nullslast"]
    ),
    (
      Criteria().limit(20).offset(40),
      ["limit=20&offset=40", "limit=20&offset=40", noOffset, "order=id&limit=20&offset=40"]
    ),
    (
      Criteria().after(.init(values: [], id: [.integer(17)])),
      ["after=17", noAfter, noAfter, noAfter]
    ),
    (
      name.equals("a_b", options: .caseInsensitive),
      [
        "! it has no \"= without case\"", "name__iexact=a_b", "! it has no \"= without case\"",
        "name=ilike.a\\_b",
      ]
    ),
    (
      name.hasPrefix("a", options: .caseInsensitive),
      [
        "! it has no \"prefix without case\"", "name__istartswith=a",
        "! it has no \"prefix without case\"", "name=ilike.a*",
      ]
    ),
    (
      name.contains("50%", options: .caseInsensitive),
      [
        "! it has no \"contains without case\"", "name__icontains=50%",
        "! it has no \"contains without case\"", "name=ilike.*50\\%*",
      ]
    ),
    (
      year == 1 || !name.contains("a", options: .caseInsensitive),
      [
        "! it has no \"contains without case\"", noOr, "! it has no \"contains without case\"",
        "or=(year.eq.1,name.not.ilike.*a*,name.is.null)",
      ]
    ),
    (
      name.contains("a*", options: .caseInsensitive),
      [
        "! it has no \"contains without case\"", "name__icontains=a*",
        "! it has no \"contains without case\"",
        "! its \"contains without case\" cannot find an asterisk",
      ]
    ),
    (name.contains("a", options: .like), [String](repeating: noLike, count: 4)),
    (
      name.equals("a", options: .diacriticInsensitive),
      [String](repeating: "! it has no \"= without accents\"", count: 4)
    ),
    (
      ["search": "1970"],
      ["search=1970", "search=1970", "search=1970", "search=1970"]
    ),
    (
      ["modelYear": 1],
      ["model_year=1", "model_year=1", "model_year=1", "model_year=eq.1"]
    ),
    (
      ["year__gte": 1, "x": 2],
      [
        "x=2&year__gte=1", "! the key \"year__gte\" is not a field in this scheme",
        "x=2&year__gte=1", "x=eq.2&year__gte=eq.1",
      ]
    ),
    (
      ["min_year": 1],
      [
        "min_year=1", "min_year=1", "! the key \"min_year\" is not a field in this scheme",
        "min_year=eq.1",
      ]
    ),
    (
      ["select": 1],
      ["select=1", "select=1", "select=1", "! the key \"select\" is not a field in this scheme"]
    ),
  ]

  @Test(arguments: table.indices, kinds.indices)
  func `Each kind says it, or names what it cannot say`(row: Int, kind: Int) throws {
    var configuration = HTTPFormat.rest
    configuration.filters = Self.kinds[kind]
    configuration.parameters = ["search"]
    configuration.encoder = {
      let encoder = HTTPFormat.defaultEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return encoder
    }
    let (criteria, columns) = Self.table[row]
    let expected = columns[kind]
    do {
      var items = try configuration.queryItems(for: criteria)
      // Kinds that order by the id say so always; the rows that are about orders keep it.
      if criteria.order.isEmpty, criteria.limit == nil {
        items.removeAll { ["_sort", "order"].contains($0.name) }
      }
      let lines = items.map { "\($0.name)=\($0.value ?? "")" }
      #expect(lines.sorted() == expected.split(separator: "&").map(String.init).sorted())
    } catch let error as HTTPError {
      #expect("! \(error.reason ?? "")" == expected)
    }
  }

  @Test(arguments: [
    (Criteria().limit(20).offset(40), "page=3&per_page=20"),
    (Criteria().limit(20), "page=1&per_page=20"),
    (Criteria(), ""),
    (Criteria().limit(20).offset(30), "! it counts pages of 20, and 30 is not whole pages"),
    (Criteria().offset(30), "! it counts pages, and the criteria have no limit"),
  ])
  func `Pages have numbers`(criteria: Criteria, expected: String) throws {
    var configuration = HTTPFormat.rest
    configuration.filters.paging = .page(number: "page", size: "per_page")
    do {
      let items = try configuration.queryItems(for: criteria)
      #expect(items.map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&") == expected)
    } catch let error as HTTPError {
      #expect("! \(error.reason ?? "")" == expected)
    }
  }
}
