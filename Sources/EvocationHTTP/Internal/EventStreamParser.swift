import Foundation

/// Reads server-sent events from the pieces of a body, which may be cut anywhere.
///
/// It looks at each byte once, and copies a line only if a piece ends inside it:
///
/// - A line ends with CR, LF or CRLF, also if a piece ends between these two.
/// - A field is the text up to the first colon, and its value is the rest without one space.
/// - An empty line ends an event, which counts only if it has data.
/// - An id stays for all later events. An id with NUL and a `retry` with other signs than digits are
///   ignored.
struct EventStreamParser {
  /// An event, or a line of it, is longer than allowed.
  struct TooLong: Error {}

  /// The longest wait that a service can ask for.
  static let longestRetry = Duration.seconds(86_400)

  /// How long the service asks to wait before the next connection, by its last `retry`.
  private(set) var retry: Duration?

  private let limit: Int
  /// The beginning of a line whose end has not arrived.
  private var line: [UInt8] = []
  private var followsCR = false
  private var isFirstLine = true

  private var name: String?
  private var data: [UInt8] = []
  private var hasData = false
  private var id: String?

  /// Creates a parser of events that have at most this many bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a piece, and returns the events that end in it.
  mutating func read(_ piece: Data) throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    try piece.withUnsafeBytes { bytes in
      var start = 0
      for (index, byte) in bytes.enumerated() {
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
          followsCR = false
          continue
        }
        defer { start = index + 1 }
        let endsCRLF = followsCR && byte == UInt8(ascii: "\n")
        followsCR = byte == UInt8(ascii: "\r")
        guard !endsCRLF else { continue }
        if let event = try end(of: bytes[start..<index]) { events.append(event) }
      }
      guard start < bytes.count else { return }
      try check(bytes.count - start)
      line.append(contentsOf: bytes[start...])
    }
    return events
  }

  /// Ends a line with its last bytes, and returns the event that it ends.
  private mutating func end(of rest: Slice<UnsafeRawBufferPointer>) throws -> ServerSentEvent? {
    try check(rest.count)
    guard line.isEmpty else {
      var whole: [UInt8] = []
      swap(&whole, &line)
      whole.append(contentsOf: rest)
      return whole.withUnsafeBytes { take($0[...]) }
    }
    return take(rest)
  }

  private func check(_ more: Int) throws {
    guard more <= limit - line.count - data.count else { throw TooLong() }
  }

  /// Takes a whole line, and returns the event that it ends.
  private mutating func take(_ line: Slice<UnsafeRawBufferPointer>) -> ServerSentEvent? {
    var line = line
    if isFirstLine {
      isFirstLine = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    }
    guard !line.isEmpty else { return ended() }
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    var value = colon.map { line[($0 + 1)...] } ?? line[line.endIndex...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    take(field: line[..<(colon ?? line.endIndex)], value)
    return nil
  }

  private mutating func take(
    field: Slice<UnsafeRawBufferPointer>, _ value: Slice<UnsafeRawBufferPointer>
  ) {
    if field.elementsEqual("data".utf8) {
      if hasData { data.append(UInt8(ascii: "\n")) }
      data.append(contentsOf: value)
      hasData = true
    } else if field.elementsEqual("event".utf8) {
      name = String(decoding: value, as: UTF8.self)
    } else if field.elementsEqual("id".utf8) {
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    } else if field.elementsEqual("retry".utf8) {
      guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      let digits = value.drop { $0 == 0x30 }
      let most = Int(Self.longestRetry / .milliseconds(1))
      let number = digits.count > 9 ? most : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      retry = .milliseconds(min(number, most))
    }
  }

  /// Ends an event at an empty line.
  private mutating func ended() -> ServerSentEvent? {
    defer {
      name = nil
      hasData = false
      data.removeAll(keepingCapacity: data.count < 65_536)
    }
    guard hasData else { return nil }
    let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? "message"
    return ServerSentEvent(name: name, data: Data(data), id: id.flatMap { $0.isEmpty ? nil : $0 })
  }
}
