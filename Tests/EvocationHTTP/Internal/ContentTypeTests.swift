import Testing

@testable import EvocationHTTP

/// The types that header fields name.
@Suite struct ContentTypeTests {
  private static let fields: [(String?, String?, isJSON: Bool)] = [
    (nil, nil, false), ("", nil, false), ("json", nil, false), ("/", nil, false),
    ("a/", nil, false), ("a/b/c", nil, false), ("text/é", nil, false),
    ("application/json", "application/json", true),
    (" Application/JSON;charset=UTF-8", "application/json", true),
    ("application/vnd.api+json; version=2", "application/vnd.api+json", true),
    ("text/json", "text/json", true), ("image/json", "image/json", false),
    ("application/jsonp", "application/jsonp", false), ("text/html, text/json", "text/html", false),
  ]

  @Test(arguments: fields)
  func `A field names its first type, in lower case and without parameters`(
    field: String?, name: String?, isJSON: Bool
  ) {
    let type = ContentType(field)
    #expect(type?.description == name)
    #expect(type?.isJSON ?? false == isJSON)
  }

  @Test(arguments: [
    (nil, false), ("", false), ("text/plain", true), ("TEXT/PLAIN;q=0.5", true), ("text/*", true),
    ("text/html, text/*;q=0.1", true), ("*/*", false), ("text/html", false), ("plain/text", false),
  ])
  func `A type is accepted where it is named, or its range; any type at all is no range`(
    accept: String?, isNamed: Bool
  ) throws {
    let plain = try #require(ContentType("text/plain"))
    #expect(ContentType.all(in: accept).contains { $0.includes(plain) } == isNamed)
  }
}
