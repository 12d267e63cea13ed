import EvocationHTTP
import Foundation
import TestTraits
import Testing

/// Dates in the forms of services, by the names of those that write them so.
@Suite(.patient) struct HTTPDatesTests {
  private struct Event: Codable, Equatable { var at: Date }

  private static let paris = TimeZone(identifier: "Europe/Paris") ?? .gmt

  private static func read(_ text: String, _ dates: HTTPFormat.Dates) -> Date? {
    var format = HTTPFormat.rest
    format.write(dates: dates)
    return try? format.decoder().decode(Event.self, from: Data(#"{"at":"\#(text)"}"#.utf8)).at
  }

  private static func written(_ date: Date, _ dates: HTTPFormat.Dates) throws -> String {
    var format = HTTPFormat.rest
    format.write(dates: dates)
    let data = try format.encoder().encode(Event(at: date))
    return try JSONDecoder().decode([String: String].self, from: data)["at"] ?? ""
  }

  @Test(arguments: [
    ("2026-11-30 18:37:13.25+00", HTTPFormat.Dates.postgres, 1_796_063_833.25),
    ("2026-11-30 18:37:13", .postgres, 1_796_063_833),
    ("2026-11-30 20:07:13+0130", .postgres, 1_796_063_833),
    ("2026-11-30T18:37:13.250000", .django, 1_796_063_833.25),
    ("2026-11-30T18:37:13.250000Z", .django, 1_796_063_833.25),
    ("2026-11-30T19:37:13", .zoneless(paris), 1_796_063_833),
    ("2026-07-01T02:00:00", .zoneless(paris), 1_782_864_000),
    ("2026-11-30", .day(.gmt), 1_795_996_800), ("2026-11-30", .day(paris), 1_795_993_200),
  ])
  func `A date is read in the form of its service`(
    text: String, dates: HTTPFormat.Dates, seconds: Double
  ) {
    #expect(Self.read(text, dates) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: ["2026-11-30 18:37:13", "2026-11-30T18:37:13", "2026-11-30"])
  func `Without a name, a date that does not say its offset is not guessed`(text: String) {
    #expect(Self.read(text, .iso8601) == nil)
    #expect(HTTPFormat.rest.decoder().userInfo.isEmpty)
  }

  @Test(arguments: [
    "", "now", "2026-13-45", "2026-11-30T18:37:13+", "0000000000",
    String(repeating: "9", count: 1000), "日本語日本語日", String(repeating: "\\r\\n", count: 10),
    "2026-11-30T18:37:13\\u0301",
  ])
  func `A text that is no date is refused in every form`(text: String) {
    for dates in [HTTPFormat.Dates.iso8601, .postgres, .django, .zoneless(Self.paris), .day(.gmt)] {
      #expect(Self.read(text, dates) == nil)
    }
  }

  @Test func `A date is written so that it is read again`() throws {
    let date = Date(timeIntervalSince1970: 1_796_063_833.25)
    for (dates, text) in [
      (HTTPFormat.Dates.iso8601, "2026-11-30T18:37:13.250Z"),
      (.postgres, "2026-11-30T18:37:13.250Z"), (.django, "2026-11-30T18:37:13.250"),
      (.zoneless(Self.paris), "2026-11-30T19:37:13.250"),
    ] {
      #expect(try Self.written(date, dates) == text)
      #expect(Self.read(text, dates) == date)
    }
    #expect(try Self.written(date, .day(Self.paris)) == "2026-11-30")
  }
}
