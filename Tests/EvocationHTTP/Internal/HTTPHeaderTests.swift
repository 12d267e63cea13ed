import Foundation
import Testing

@testable import EvocationHTTP

@Suite struct HTTPHeaderTests {
  private static let waits: [(String?, Duration?)] = [
    (nil, nil), ("0", .zero), (" 120 ", .seconds(120)), ("-5", .zero), ("soon", nil), ("", nil),
    ("Thu, 01 Jan 1970 00:01:30 GMT", .seconds(80)), ("Thu, 01 Jan 1970 00:00:01 GMT", .zero),
  ]

  @Test(arguments: waits)
  func `Retry-After is a number of seconds or a date`(text: String?, wait: Duration?) {
    let now = Date(timeIntervalSince1970: 10)
    #expect(RetryAfter.duration(of: text.map { ["retry-after": $0] } ?? [:], now: now) == wait)
  }

  private static let links: [(String, String?)] = [
    ("<https://a.b/c?page=2>; rel=\"next\"", "https://a.b/c?page=2"),
    ("<https://a.b/1>; rel=prev, <https://a.b/3,4>; title=\"x\"; rel=next", "https://a.b/3,4"),
    ("</d?e=1>; rel=\"last Next\"", "/d?e=1"),
    ("<https://a.b/1>; rel=\"nextish\"", nil),
    ("<https://a.b/1; rel=\"next\"", nil),
    ("", nil),
  ]

  @Test(arguments: links)
  func `The next page is found among the links`(text: String, expected: String?) {
    #expect(LinkHeader.target("next", in: text) == expected)
  }
}
