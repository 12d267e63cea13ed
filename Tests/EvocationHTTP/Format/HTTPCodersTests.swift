import Evocation
import EvocationHTTP
import Foundation
import Testing

@Suite struct HTTPCodersTests {
  private static let texts: [(TimeInterval, String)] = [
    (0, "[\"1970-01-01T00:00:00Z\"]"),
    (0.25, "[\"1970-01-01T00:00:00.250Z\"]"),
    (0.9999, "[\"1970-01-01T00:00:00.999900Z\"]"),
    (0.9999999, "[\"1970-01-01T00:00:01Z\"]"),
    (-0.5, "[\"1969-12-31T23:59:59.500Z\"]"),
    (1_700_000_000.123, "[\"2023-11-14T22:13:20.123Z\"]"),
  ]

  @Test(arguments: texts)
  func `Dates are written to the microsecond where they have one, and read back`(
    seconds: TimeInterval, text: String
  ) throws {
    let json = try HTTPFormat.defaultEncoder().encode([Date(timeIntervalSince1970: seconds)])
    #expect(String(decoding: json, as: UTF8.self) == text)
    let dates = try HTTPFormat.defaultDecoder().decode([Date].self, from: json)
    let read = try #require(dates.first)
    #expect(abs(read.timeIntervalSince1970 - seconds) < 0.000_001)
  }

  @Test(arguments: [
    "2026-11-22T13:47:01.123456Z", "2026-11-22T13:47:01.000001Z", "2026-11-22T13:47:01.120Z",
    "1999-12-31T23:59:59.999999Z", "2026-11-22T13:47:01Z",
  ])
  func `A date that is sent back unchanged is what the service sent`(text: String) throws {
    let json = Data("[\"\(text)\"]".utf8)
    let dates = try HTTPFormat.defaultDecoder().decode([Date].self, from: json)
    #expect(try HTTPFormat.defaultEncoder().encode(dates) == json)
  }

  @Test(arguments: [
    ("2026-11-22T14:47:01.5+01:00", "2026-11-22T13:47:01.500Z"),
    ("2026-11-22T13:47:01.1234567Z", "2026-11-22T13:47:01.123457Z"),
  ])
  func `An offset, and finer digits than a microsecond, are read`(
    text: String, expected: String
  ) throws {
    let dates = try HTTPFormat.defaultDecoder().decode(
      [Date].self, from: Data("[\"\(text)\"]".utf8))
    let json = try HTTPFormat.defaultEncoder().encode(dates)
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(expected)\"]")
  }

  @Test func `A text that is no date does not decode`() {
    #expect(throws: DecodingError.self) {
      try HTTPFormat.defaultDecoder().decode([Date].self, from: Data("[\"soon\"]".utf8))
    }
  }

  @Test func `Keys are sorted, so that a write has the same bytes each time`() throws {
    let json = try HTTPFormat.defaultEncoder().encode(["b": "/", "a": "", "c": ""])
    #expect(String(decoding: json, as: UTF8.self) == "{\"a\":\"\",\"b\":\"/\",\"c\":\"\"}")
  }
}
