import Evocation
import EvocationHTTP
import Foundation
import Testing

@testable import TransportSuite

/// What an app's own filters say, and what becomes of conditions that meet.
@Suite struct HTTPOwnFiltersTests {
  private static let year = Criteria.Key("year")
  private static let name = Criteria.Key("name")

  private static func text(_ filters: HTTPFilters, _ criteria: Criteria) -> String {
    var configuration = HTTPFormat.rest
    configuration.filters = filters
    do {
      return try configuration.queryItems(for: criteria)
        .filter { !criteria.order.isEmpty || !["_sort", "order"].contains($0.name) }
        .map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    } catch {
      return "! \((error as? HTTPError)?.reason ?? "\(error)")"
    }
  }

  /// Directus: nested keys in brackets, and groups whose members are numbered.
  private static let directus: HTTPFilters = {
    @Sendable func items(_ predicate: HTTPFilters.Conditions, in place: String) -> [URLQueryItem] {
      switch predicate {
      case .all(let parts): members(parts, in: "\(place)[_and]")
      case .any(let parts): members(parts, in: "\(place)[_or]")
      case .condition(let one), .not(let one):
        [
          URLQueryItem(
            name: place + one.path.map { "[\($0)]" }.joined() + "[\(one.word)]",
            value: one.values.isEmpty ? "true" : one.texts.joined(separator: ","))
        ]
      }
    }
    @Sendable func members(_ parts: [HTTPFilters.Conditions], in place: String) -> [URLQueryItem] {
      parts.enumerated().flatMap { items($1, in: "\(place)[\($0)]") }
    }
    return HTTPFilters(
      [
        .equal: "_eq", .notEqual: "_neq", .less: "_lt", .greaterOrEqual: "_gte", .isIn: "_in",
        .isNull: "_null", .isNotNull: "_nnull",
      ],
      filter: HTTPFilters.Filter { items($0, in: "filter") })
  }()

  /// JSON:API as most have it: conditions and pages in brackets.
  private static let jsonAPI: HTTPFilters = {
    var filters = HTTPFilters(
      [.equal: "", .isIn: "", .less: "lt"], filter: .brackets(in: "filter", isNested: true),
      paging: .page(number: "page[number]", size: "page[size]"))
    filters.ordersByIdentifier = true
    return filters
  }()

  /// Stripe: bounds in brackets, no order, and lists that go on after a model.
  private static let stripe = HTTPFilters(
    [.equal: "", .less: "lt", .greaterOrEqual: "gte"], filter: .brackets(), order: nil,
    paging: .limit("limit"), after: "starting_after")

  /// Django's filters of a view that has a few.
  private static let view: HTTPFilters = {
    var filters = HTTPFilters.suffixes
    filters.keys = ["year": [.equal, .greaterOrEqual], "name": [.hasPrefix]]
    filters.textKeys = ["name": [.caseInsensitive: [.contains]]]
    filters.textOperators[.like] = [.contains: "unaccent__icontains"]
    filters.orders = ["year"]
    return filters
  }()

  private static let unaccenting: HTTPFilters = {
    var filters = HTTPFilters.suffixes
    filters.textOperators[.like] = [.contains: "unaccent__icontains"]
    return filters
  }()

  private static let searching: HTTPFilters = {
    var filters = HTTPFilters.brackets
    filters.matching = { [URLQueryItem(name: "q", value: $0)] }
    return filters
  }()

  private static let own: HTTPFilters = {
    var filters = HTTPFilters(
      [.equal: "is", .less: "under"],
      filter: .items { [URLQueryItem(name: "\($0.name):\($0.word)", value: $0.text)] },
      order: HTTPFilters.Ordering { orders in
        orders.filter { !$0.isAdded }.map {
          URLQueryItem(name: $0.descending ? "down" : "up", value: $0.name)
        }
      },
      paging: .items { limit, offset in
        [URLQueryItem(name: "part", value: "\(offset)-\(limit.map(String.init) ?? "")")]
      })
    filters.reserved = ["fields:is"]
    filters.ordersByIdentifier = true
    filters.hasEmptyTexts = false
    filters.isName = { !["", "secret"].contains($0) }
    return filters
  }()

  private static let dialects: [(HTTPFilters, Criteria, String)] = [
    (directus, ["owner.name": "x"], "filter[owner][name][_eq]=x"),
    (
      directus, (year < 1 || year.in([5, 6])) && Criteria.Key("owner") != nil,
      "filter[_and][0][_or][0][year][_lt]=1&filter[_and][0][_or][1][year][_in]=5,6"
        + "&filter[_and][1][owner][_nnull]=true"
    ),
    (
      directus, !(year == 1 && name == nil),
      "filter[_or][0][year][_neq]=1&filter[_or][1][name][_nnull]=true"
    ),
    (jsonAPI, ["year": 1980], "filter[year]=1980&sort=id"),
    (jsonAPI, ["owner.city": "x"], "filter[owner][city]=x&sort=id"),
    (jsonAPI, year.in([1, 2]), "filter[year]=1,2&sort=id"),
    (jsonAPI, year < 5, "filter[year][lt]=5&sort=id"),
    (
      jsonAPI, Criteria().sorted(by: "year", descending: true).limit(20).offset(20),
      "sort=-year,id&page[number]=2&page[size]=20"
    ),
    (stripe, Criteria.Key("created") >= 5, "created[gte]=5"),
    (
      stripe, Criteria().limit(5).after(.init(values: [], id: [.text("ch_1")])),
      "limit=5&starting_after=ch_1"
    ),
    (stripe, Criteria().sorted(by: "created"), "! it has no order"),
    (view, year >= 1980, "year__gte=1980"),
    (view, year < 1980, "! it has no \"<\" for \"year\""),
    (view, name == "x", "! it has no \"=\" for \"name\""),
    (view, ["origin": "x"], "! it has no \"=\" for \"origin\""),
    (view, name.contains("x", options: .caseInsensitive), "name__icontains=x"),
    (
      view, name.hasPrefix("x", options: .caseInsensitive),
      "! it has no \"prefix without case\" for \"name\""
    ),
    (
      view, name.contains("x", options: .like),
      "! it has no \"contains without case and accents\" for \"name\""
    ),
    (unaccenting, name.contains("x", options: .like), "name__unaccent__icontains=x"),
    (view, name.hasPrefix(""), "! it has no \"not null\" for \"name\""),
    (view, Criteria(order: [Criteria.Sort("year", descending: true)]), "ordering=-year"),
    (view, Criteria().sorted(by: "name"), "! it cannot sort by \"name\""),
    (view, Criteria(.all([.all([]), .all([.comparison("year", .equal, .init(5))])])), "year=5"),
    (searching, .matching("quick bro*") && year < 5, "q=quick bro*&year[lt]=5"),
    (searching, .matching("a"), "q=a"),
    (searching, !.matching("a"), "! it has no \"matching\" inside of || and !"),
    (searching, .matching("a") || year < 5, "! it has no \"matching\" inside of || and !"),
    (.brackets, .matching("a"), "! it has no \"matching\""),
    (own, year < 5, "year:under=5&part=0-"),
    (own, Criteria().sorted(by: "year", descending: true).limit(5), "down=year&part=0-5"),
    (own, ["fields": 5], "! the key \"fields:is\" is not a field in this scheme"),
    (own, ["secret": 5], "! the key \"secret\" is not a field in this scheme"),
    (
      own, name < "", "! its \"<\" ignores an empty text, which \"name\" is compared with"
    ),
    (own, year > 5, "! it has no \">\""),
    (own, ["": 5], "! the key \"\" is not a field in this scheme"),
  ]

  @Test(arguments: dialects.indices)
  func `An app's own filters say what they have`(row: Int) {
    let (filters, criteria, expected) = Self.dialects[row]
    #expect(Self.text(filters, criteria) == expected)
  }

  @Test func `JSON:API has the names of Django's, and no order of ids that are numbers there`() {
    let (filters, id, year) = (HTTPFormat.jsonAPI.filters, Criteria.Key("id"), Self.year)
    for (criteria, expected) in [
      (["year": 1980], "filter[year]=1980"), (year >= 5, "filter[year.gte]=5"),
      (year.in([1, 2]), "filter[year.in]=1,2"),
      (["owner.city": nil], "filter[owner.city.isnull]=true"),
      (["id": "7"], "filter[id]=7"), (id.in(["7", "8"]), "filter[id.in]=7,8"),
      (Criteria().sorted(by: "year", descending: true), "sort=-year"),
      (id < "7", #"! it has no "<" for "id", which it compares as a number"#),
      (id.hasPrefix("7"), #"! it has no "prefix" for "id", which it compares as a number"#),
      (id.between("7", and: "8"), #"! it has no ">=" for "id", which it compares as a number"#),
      (
        Criteria().sorted(by: "id"),
        #"! it sorts "id" as a number, and models have it as a text"#
      ),
    ] as [(Criteria, String)] {
      #expect(Self.text(filters, criteria) == expected)
    }
  }

  @Test(arguments: [" a", "a ", "\u{3000}a", "a\u{1F}", " ", "a\n"])
  func `A text whose ends a service leaves out is refused`(text: String) {
    let name = Self.name
    for (criteria, word) in [
      (name == text, "="), (name.in(["b", text]), "in"), (name.contains(text), "contains"),
    ] {
      #expect(
        Self.text(.suffixes, criteria)
          == "! its \"\(word)\" leaves out blanks at the ends of a text, which \"name\" is compared with"
      )
    }
    #expect(Self.text(.suffixes, name == "a b") == "name=a b")
    #expect(Self.text(.brackets, name == text) == "name=\(text)")
  }

  private static func present(_ bounds: String) -> String {
    "has_year=true&\(bounds)&not_year=null"
  }

  private static let meeting: [(HTTPFilters, Criteria, String)] = [
    (.prefixes, year >= 1 && year >= 2, present("min_year=2")),
    (
      .suffixes,
      name.contains("x", options: .caseInsensitive) && name.contains("x", options: .caseInsensitive)
        && name.contains("x"), "name__icontains=x&name__contains=x"
    ),
    (
      .suffixes,
      name.contains("x", options: .caseInsensitive)
        && name.contains("y", options: .caseInsensitive),
      "! it allows no two items with one name, such as \"name__icontains\""
    ),
    (.prefixes, year > 3 && year > 2.5 && year >= 9, present("gt_year=3&min_year=9")),
    (.prefixes, year <= 1 && year <= 2 && year < 7, present("max_year=1&lt_year=7")),
    (.prefixes, year != 1 && year != 2, "exclude_year=1,2"),
    (.prefixes, year != 1 && year != 1, "not_year=1"),
    (.prefixes, name != "a,b" && name != "1", "exclude_name=\"a\\u002cb\",\"1\""),
    (.prefixes, name != "é" && name != "e\u{301}", "exclude_name=\"é\",\"e\u{301}\""),
    (.prefixes, year != 1 && year > 2, "has_year=true&gt_year=2&exclude_year=1,null"),
    (.prefixes, year != 1 && year != nil, "has_year=true&exclude_year=1,null"),
    (.prefixes, !year.in([1, 2]) && year != 3, "exclude_year=1,2,3"),
    (.prefixes, year == 1 && year == 1, "year=1"),
    (.prefixes, year == 1 && year == 2, "year=1&in_year=2"),
    (.prefixes, year.in([1, 2, 3]) && year.in([2, 3, 4]), "in_year=2,3"),
    (.prefixes, year.in([1, 2]) && year.in([2, 3]) && year == 2, "year=2"),
    (.prefixes, year.in([1, 2]) && year.in([3, 4]), "year=1&in_year=3,4"),
    (.prefixes, name == "1" && name == 1, "name=\"1\"&in_name=1"),
    (
      .prefixes, year == nil && year == 1,
      "! it allows no two items with one name, such as \"year\""
    ),
    (
      .prefixes, year > 1 && year > "x",
      "! its \">\" cannot compare \"year\" with values of two kinds"
    ),
    (.prefixes, Criteria.Key("id") > "b" && Criteria.Key("id") != "c", "gt_id=\"b\"&not_id=\"c\""),
    (.prefixes, ["_x": 5], "! the key \"_x\" is not a field in this scheme"),
    (.prefixes, Criteria.Key("a-b") > 5, "! the key \"a-b\" is not a field in this scheme"),
    (
      .prefixes, Criteria.Key("max_speed") > 5,
      "has_max_speed=true&gt_max_speed=5&not_max_speed=null"
    ),
    (.suffixes, year >= 1 && year >= 2, "year__gte=2"),
    (.suffixes, year == 1 && year == 2, "year=1&year__in=2"),
    (
      .suffixes, name.contains("a") && name.contains("b"),
      "! it allows no two items with one name, such as \"name__contains\""
    ),
    (.suffixes, name.contains("a") && name.contains("a"), "name__contains=a"),
    (.brackets, year >= 1 && year >= 2, "year[gte]=1&year[gte]=2"),
    (.postgREST, year != 1 && year != 2, "year=isdistinct.1&year=isdistinct.2"),
    (
      .postgREST, name == ",\u{301}" || name.contains("*\u{301}"),
      "! its \"contains\" cannot find an asterisk"
    ),
    (
      .postgREST, name == ",\u{301}" || name.contains("%\u{301}"),
      "or=(name.eq.\",\u{301}\",name.like.\"*\\\\%\u{301}*\")"
    ),
    (.suffixes, name.in([",\u{301}"]), "! its lists cannot hold a value with \",\""),
    (.prefixes, name.in([",\u{301}", "x"]), "in_name=\"\\u002c\u{301}\",\"x\""),
    (.pocketBase, name == "'\u{301}", "filter=name='\\'\u{301}'&sort=id"),
    (.oData, name == "'\u{301}", "$filter=name eq '''\u{301}'&$orderby=id"),
    (.brackets, name.in(["\"\u{301}", "x"]), "name[in]=\"\"\"\u{301}\",x"),
    (.postgREST, ["or": 1], "! the key \"or\" is not a field in this scheme"),
    (.postgREST, year == 1 || Criteria.Key("select") == 1, "or=(year.eq.1,select.eq.1)"),
  ]

  @Test(arguments: meeting.indices)
  func `Conditions that meet on a property become one where an item counts once`(row: Int) {
    let (filters, criteria, expected) = Self.meeting[row]
    #expect(Self.text(filters, criteria) == expected)
  }

  @Test func `One operator can be written in a way of its own`() {
    var filters = HTTPFilters.brackets
    filters.write(.isIn) { condition in
      condition.texts.map { URLQueryItem(name: condition.name, value: $0) }
    }
    #expect(Self.text(filters, Self.year.in([1, 2]) && Self.name == "x") == "year=1&year=2&name=x")
    #expect(
      Self.text(filters, Self.year.in([1]) || Self.name == "x") == "! its groups have no \"in\"")
    filters.write(.isNotIn) { [URLQueryItem(name: "\($0.name)[\($0.word)]", value: $0.text)] }
    #expect(Self.text(filters, !Self.year.in([1])) == "year[isNotIn]=1")
  }

  @Test func `An error of an app's own function reaches the caller`() {
    struct Unsayable: Error {}
    var configuration = HTTPFormat.rest
    configuration.filters.filter = .items { _ in throw Unsayable() }
    #expect(throws: Unsayable.self) { try configuration.queryItems(for: ["year": 1]) }
  }

  private static let kinds: [(name: String, filters: HTTPFilters)] = [
    ("brackets", .brackets), ("suffixes", .suffixes), ("prefixes", .prefixes),
    ("postgREST", .postgREST), ("pocketBase", .pocketBase), ("oData", .oData),
    ("airtable", .airtable), ("directus", directus), ("jsonAPI", jsonAPI),
  ]

  private static let values = [
    "'", "\"", ",", "*", "%", "_", "\\", "", "1970", "null", "true", "é", "e\u{301}", "É", "a b",
    "&",
    "(", ")", "{", "}", "[", "]", "=", ".", "\n", "'a", "\\'", "a,b", "'\u{301}", ",\u{301}",
    "\"\u{301}", "\\\u{301}", "%\u{301}", "\r\n",
  ]

  private static let conditions: [@Sendable (Criteria.Key, String) -> Criteria] = [
    { $0 == $1 }, { $0 != $1 }, { $0 < $1 }, { $0 <= $1 }, { $0 > $1 }, { $0 >= $1 },
    { $0.in([$1]) }, { $0.in([$1, "x"]) }, { !$0.in([$1, "x"]) }, { $0.between($1, and: "x") },
    { $0.hasPrefix($1) }, { $0.contains($1) }, { !($0 == $1) }, { !($0 < $1) },
    { !$0.hasPrefix($1) }, { $0 == $1 || $0 == nil }, { $0 > $1 && $0 != "x" },
  ]

  @Test(arguments: kinds.indices, ["name", "owner.name"] as [Criteria.Key])
  func `No two values are said alike, and no condition is left out`(kind: Int, key: Criteria.Key) {
    let (name, filters) = Self.kinds[kind]
    let nothing = Self.text(filters, Criteria())
    for (row, condition) in Self.conditions.enumerated() {
      var said: [[UInt8]: String] = [:]
      for value in Self.values {
        let text = Self.text(filters, condition(key, value))
        #expect(text != nothing && text != "! ", "\(name) \(row) \(value)")
        if text.hasPrefix("! ") { continue }
        #expect(
          said.updateValue(value, forKey: Array(text.utf8)) == nil,
          "\(name) \(row) \(value): \(text)")
      }
    }
  }
}
