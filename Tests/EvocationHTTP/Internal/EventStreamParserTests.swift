import Foundation
import Testing

@testable import EvocationHTTP

/// A stream of events, as the HTML standard says that it is read.
@Suite struct EventStreamParserTests {
  private func events(
    _ text: String, pieces size: Int = .max, limit: Int = 1 << 20
  ) throws -> [ServerSentEvent] {
    var parser = EventStreamParser(limit: limit)
    return try Array(text.utf8).cut(size).flatMap { try parser.read(Data($0)) }
  }

  private static func event(
    _ data: String, _ name: String = "message", id: String? = nil
  ) -> ServerSentEvent {
    ServerSentEvent(name: name, data: Data(data.utf8), id: id)
  }

  private static let table: [(String, [ServerSentEvent])] = [
    // The examples of the standard.
    ("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
    (
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [event("first event", id: "1"), event("second event"), event(" third event")]
    ),
    ("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
    ("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
    (
      "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
      [event("73857293", "add"), event("2153", "remove")]
    ),
    // Ends of lines, the mark of the byte order, and fields.
    ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", [event("a"), event("b"), event("c")]),
    ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
    ("\u{FEFF}\u{FEFF}data: a\n\n", []),
    ("data: a:b\n: comment\ndata:: c\n\n", [event("a:b\n: c")]),
    ("DATA: a\ndata : b\n data: c\nother: d\n\n", []),
    ("event: x\n\ndata: a\n\n", [event("a")]),
    ("event: x\nevent\ndata: a\n\n", [event("a")]),
    ("data: {\"name\": \"Škoda 🚗\"}\n\n", [event("{\"name\": \"Škoda 🚗\"}")]),
    ("data: a\nid: 1\n\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
    ("id: 1\n\ndata: b\n\n", [event("b", id: "1")]),
    ("id: 1\ndata: a\n\nid: 2\u{0}3\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
    ("data: a", []), ("data: a\n", []), ("", []), ("\n\n\r\r\n\n", []),
  ]

  @Test(arguments: table)
  func `A text is these events, wherever it is cut`(
    text: String, expected: [ServerSentEvent]
  )
    throws
  {
    #expect(try events(text) == expected)
    for size in 1...7 { #expect(try events(text, pieces: size) == expected) }
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var parser = EventStreamParser(limit: 1 << 20)
      let first = try parser.read(Data(bytes[..<cut]))
      #expect(try first + parser.read(Data(bytes[cut...])) == expected)
    }
  }

  @Test(arguments: [
    ("retry: 1500", Duration.milliseconds(1500)), ("retry:0", .zero),
    ("retry: 007", .milliseconds(7)),
    ("retry: 99999999999999999999", .seconds(86_400)), ("retry: 86400001", .seconds(86_400)),
    ("retry", nil), ("retry: ", nil), ("retry: -1", nil), ("retry: 1.5", nil), ("retry: ١", nil),
    ("retry: 5\nretry: x", .milliseconds(5)),
  ])
  func `A service asks for a wait in milliseconds, which is a day at most`(
    text: String, wait: Duration?
  ) throws {
    var parser = EventStreamParser(limit: 100)
    #expect(try parser.read(Data("\(text)\n".utf8)).isEmpty)
    #expect(parser.retry == wait)
  }

  @Test(arguments: [1, 7, 1000])
  func `A line or an event that is too long, or has no end, is refused`(size: Int) throws {
    let endless = String(repeating: "x", count: 30)
    for text in [
      "data: \(endless)", ": \(endless)", "data: \(endless)\n\n",
      String(repeating: "data: abc\n", count: 20), String(repeating: "data\n", count: 40),
    ] {
      #expect(throws: EventStreamParser.TooLong.self) { try events(text, pieces: size, limit: 30) }
    }
    let short = String(repeating: "data: 0123456789\n\n", count: 20)
    #expect(try events(short, pieces: size, limit: 30).count == 20)
  }

  @Test func `A long event that comes byte by byte costs no more than its length`() throws {
    var parser = EventStreamParser(limit: 1 << 20)
    let byte = Data("x".utf8)
    _ = try parser.read(Data("data: ".utf8))
    for _ in 0..<200_000 { _ = try parser.read(byte) }
    #expect(try parser.read(Data("\n\n".utf8)).first?.data.count == 200_000)
  }
}

extension [UInt8] {
  /// The bytes in pieces of a size.
  fileprivate func cut(_ size: Int) -> [[UInt8]] {
    guard count > size else { return [self] }
    return stride(from: 0, to: count, by: size).map {
      Array(self[$0..<Swift.min($0 + size, count)])
    }
  }
}
