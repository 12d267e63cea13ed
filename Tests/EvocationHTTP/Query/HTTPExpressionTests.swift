import Evocation
import EvocationHTTP
import Foundation
import Testing

@testable import TransportSuite

/// What filters that write one expression say of criteria.
@Suite struct HTTPExpressionTests {
  private static let year = Criteria.Key("year")
  private static let name = Criteria.Key("name")
  private static let day = Date(timeIntervalSince1970: 86400)
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  /// The kinds, the item of their conditions, and what they call themselves in the columns below.
  private static let kinds: [(HTTPFilters, String)] = [
    (.pocketBase, "filter"), (.oData, "$filter"), (.airtable, "filterByFormula"),
  ]

  private static let noNull = "! it has no \"null\""
  private static let noList = "! its lists cannot be empty"
  private static let numbers = "! its \"<\" compares numbers alone"
  private static let exponent =
    "! its \">=\" takes no number with an exponent, which \"year\" is compared with"
  private static let ascii =
    "! its \"contains without case\" takes only texts in ASCII, without %, _ and \\"
  private static let noContains = "! it has no \"contains\""

  private static let table: [(Criteria, [String])] = [
    (year == 1970, ["year=1970", "year eq 1970", "AND({year}&''!='',{year}=1970)"]),
    (year != 1970, ["year!=1970", "year ne 1970", "NOT(AND({year}&''!='',{year}=1970))"]),
    (year < 1970, ["year<1970", "year lt 1970", "AND({year}&''!='',{year}<1970)"]),
    (year >= 2.5, ["year>=2.5", "year ge 2.5", "AND({year}&''!='',{year}>=2.5)"]),
    (
      name.equals("O'b", options: .caseInsensitive),
      [
        "! it has no \"= without case\"", "tolower(name) eq tolower('O''b')",
        "! it has no \"= without case\"",
      ]
    ),
    (
      name.hasPrefix("a", options: .caseInsensitive),
      [
        "name~'a%'", "startswith(tolower(name),tolower('a'))",
        "! it has no \"prefix without case\"",
      ]
    ),
    (
      name.contains("a'", options: .caseInsensitive),
      [
        "name~'%a\\'%'", "contains(tolower(name),tolower('a'''))",
        "! it has no \"contains without case\"",
      ]
    ),
    (
      name.contains("é", options: .caseInsensitive),
      [
        ascii, "contains(tolower(name),tolower('é'))", "! it has no \"contains without case\"",
      ]
    ),
    (
      name.contains("_", options: .caseInsensitive),
      [
        ascii, "contains(tolower(name),tolower('_'))", "! it has no \"contains without case\"",
      ]
    ),
    (
      year >= 1e20,
      [
        exponent, "year ge 1e+20", exponent,
      ]
    ),
    (
      year.between(1, and: 2) && name == "x",
      [
        "(year>=1&&year<=2&&name='x')", "(year ge 1 and year le 2 and name eq 'x')",
        "AND(AND({year}&''!='',{year}>=1),AND({year}&''!='',{year}<=2),EXACT({name},'x'))",
      ]
    ),
    (
      (year == 1 || year == 2) && !(year == 3 || name == "x"),
      [
        "((year=1||year=2)&&year!=3&&name!='x')",
        "((year eq 1 or year eq 2) and year ne 3 and name ne 'x')",
        "AND(OR(AND({year}&''!='',{year}=1),AND({year}&''!='',{year}=2)),"
          + "NOT(AND({year}&''!='',{year}=3)),NOT(EXACT({name},'x')))",
      ]
    ),
    (
      !(year < 1),
      [
        "year>=1", "(year ge 1 or year eq null)", "NOT(AND({year}&''!='',{year}<1))",
      ]
    ),
    (
      year.in([1, 2]),
      [
        "(year=1||year=2)", "(year eq 1 or year eq 2)",
        "OR(AND({year}&''!='',{year}=1),AND({year}&''!='',{year}=2))",
      ]
    ),
    (
      !name.in(["a", "b"]),
      [
        "(name!='a'&&name!='b')", "(name ne 'a' and name ne 'b')",
        "NOT(OR(EXACT({name},'a'),EXACT({name},'b')))",
      ]
    ),
    (year.in([Int]()), [noList, noList, noList]),
    (["owner": nil], [noNull, "owner eq null", "{owner}&''=''"]),
    (
      Criteria.Key("owner") != nil,
      ["! it has no \"not null\"", "owner ne null", "{owner}&''!=''"]
    ),
    (name == "1970", ["name='1970'", "name eq '1970'", "EXACT({name},'1970')"]),
    (name == "a'b", ["name='a\\'b'", "name eq 'a''b'", "EXACT({name},'a\\'b')"]),
    (name == "a\\", ["name='a\\\\'", "name eq 'a\\'", "EXACT({name},'a\\\\')"]),
    (name == "\"%_*,é😀", ["name='\"%_*,é😀'", "name eq '\"%_*,é😀'", "EXACT({name},'\"%_*,é😀')"]),
    (
      name == "",
      [
        "name=''", "name eq ''",
        "! its \"=\" ignores an empty text, which \"name\" is compared with",
      ]
    ),
    (name < "b", ["name<'b'", "name lt 'b'", numbers]),
    (
      name.hasPrefix("a'"),
      ["(name>='a\\''&&name<'a(')", "startswith(name,'a''')", "FIND('a\\'',{name}&'')=1"]
    ),
    (
      name.hasPrefix("a\u{D7FF}"),
      [
        "(name>='a\u{D7FF}'&&name<'a\u{E000}')", "startswith(name,'a\u{D7FF}')",
        "FIND('a\u{D7FF}',{name}&'')=1",
      ]
    ),
    (
      name.hasPrefix("\u{10FFFF}"),
      ["name>='\u{10FFFF}'", "startswith(name,'\u{10FFFF}')", "FIND('\u{10FFFF}',{name}&'')=1"]
    ),
    (
      name.hasPrefix("é\u{10FFFF}"),
      [
        "(name>='é\u{10FFFF}'&&name<'ê')", "startswith(name,'é\u{10FFFF}')",
        "FIND('é\u{10FFFF}',{name}&'')=1",
      ]
    ),
    (name.hasPrefix(""), ["name>=''", "startswith(name,'')", "{name}&''!=''"]),
    (
      !name.hasPrefix("a"),
      [
        "! it has no \"not\"", "(not (startswith(name,'a')) or name eq null)",
        "NOT(FIND('a',{name}&'')=1)",
      ]
    ),
    (name.contains("x"), [noContains, "contains(name,'x')", noContains]),
    (
      ["sold": true],
      ["sold=true", "sold eq true", "{sold}=TRUE()"]
    ),
    (
      ["sold": false],
      [
        "sold=false", "sold eq false",
        "! its \"=\" compares neither false nor dates nor data",
      ]
    ),
    (
      ["day": day],
      [
        "! its \"=\" takes dates with a blank and milliseconds alone",
        "day eq 1970-01-02T00:00:00Z",
        "! its \"=\" compares neither false nor dates nor data",
      ]
    ),
    (
      ["data": Data([1])],
      [
        "data='AQ=='", "! its \"=\" cannot compare data",
        "! its \"=\" compares neither false nor dates nor data",
      ]
    ),
    (
      ["key": uuid],
      [
        "key='01020304-0506-0708-090A-0B0C0D0E0F10'", "key eq 01020304-0506-0708-090A-0B0C0D0E0F10",
        "EXACT({key},'01020304-0506-0708-090A-0B0C0D0E0F10')",
      ]
    ),
    (
      ["owner.city": "x"],
      [
        "owner.city='x'", "owner/city eq 'x'",
        "! its \"=\" takes no nested key, such as \"owner.city\"",
      ]
    ),
    (
      ["a b": 1],
      [
        "! the key \"a b\" is not a field in this scheme",
        "! the key \"a b\" is not a field in this scheme", "AND({a b}&''!='',{a b}=1)",
      ]
    ),
    (
      ["a}": 1],
      [
        "! the key \"a}\" is not a field in this scheme",
        "! the key \"a}\" is not a field in this scheme",
        "! the key \"a}\" is not a field in this scheme",
      ]
    ),
    (
      ["null": 1],
      [
        "! the key \"null\" is not a field in this scheme",
        "! the key \"null\" is not a field in this scheme", "AND({null}&''!='',{null}=1)",
      ]
    ),
  ]

  @Test(arguments: table.indices, kinds.indices)
  func `Conditions become one expression, or what cannot be said is named`(
    row: Int, kind: Int
  ) throws {
    let (filters, item) = Self.kinds[kind]
    let (criteria, columns) = Self.table[row]
    var configuration = HTTPFormat.rest
    configuration.filters = filters
    do {
      let items = try configuration.queryItems(for: criteria)
      #expect(items.first?.name == item)
      #expect(items.first?.value == columns[kind])
    } catch let error as HTTPError {
      #expect("! \(error.reason ?? "")" == columns[kind])
      #expect(error.code == .unsupportedCriteria)
    }
  }

  @Test(arguments: [
    (HTTPFilters.pocketBase, "sort=-year,id&page=3&perPage=20"),
    (.oData, "$orderby=year desc,id&$top=20&$skip=40"),
    (.airtable, "! it has no offset"),
  ])
  func `Order and paging are items of their own`(filters: HTTPFilters, expected: String) throws {
    var configuration = HTTPFormat.rest
    configuration.filters = filters
    let criteria = Criteria().sorted(by: "year", descending: true).limit(20)
    #expect(text(configuration, criteria.offset(40)) == expected)
    guard expected.hasPrefix("!") else { return }
    #expect(
      text(configuration, criteria)
        == "sort[0][field]=year&sort[0][direction]=desc&maxRecords=20")
  }

  private func text(_ configuration: HTTPFormat, _ criteria: Criteria) -> String {
    do {
      return try configuration.queryItems(for: criteria)
        .map { "\($0.name)=\($0.value ?? "")" }.joined(separator: "&")
    } catch {
      return "! \((error as? HTTPError)?.reason ?? "\(error)")"
    }
  }

  @Test func `Dates that are written as PocketBase has them are compared`() throws {
    var configuration = HTTPFormat.rest
    configuration.filters = .pocketBase
    configuration.encoder = {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .custom { _, encoder in
        var container = encoder.singleValueContainer()
        try container.encode("1970-01-02 00:00:00.000Z")
      }
      return encoder
    }
    let items = try configuration.queryItems(for: Criteria.Key("day") >= Self.day)
    #expect(items.first?.value == "day>='1970-01-02 00:00:00.000Z'")
  }
}
