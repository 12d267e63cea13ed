import Foundation

/// Dates in ISO 8601, to the microsecond.
enum ISO8601Date {
  /// The error for any other text.
  static let reason = "The text is not an ISO 8601 date."

  /// Returns the date of a text, whose seconds may have any number of digits.
  ///
  /// Digits that a `Date` cannot hold are rounded.
  static func date(of text: String) -> Date? {
    var text = text
    // The system's format takes forty times as long, and a list has a date or two in each model.
    let usual = text.withUTF8 { UsualDate.date($0) }
    if let usual { return usual }
    return slowDate(of: text)
  }

  /// Returns the text of a date, with as many digits as it has: none, three or six.
  static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let microseconds = ((date.timeIntervalSince1970 - seconds) * 1_000_000).rounded()
    guard microseconds < 1_000_000 else {
      return Date(timeIntervalSince1970: seconds + 1).formatted(whole)
    }
    let text = Date(timeIntervalSince1970: seconds).formatted(whole)
    guard microseconds > 0, text.hasSuffix("Z") else { return text }
    let digits = String(Int(microseconds) + 1_000_000).dropFirst()
    let short = digits.hasSuffix("000") ? digits.dropLast(3) : digits
    return "\(text.dropLast()).\(short)Z"
  }

  private static func slowDate(of text: String) -> Date? {
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return try? whole.parse(text)
    }
    // The format's own fractions are milliseconds, and it drops further digits.
    let digits = text[text.index(after: dot)...].prefix { ("0"..."9").contains($0) }
    guard !digits.isEmpty, digits.count <= 20, let fraction = Double("0.\(digits)"),
      let date = try? whole.parse(String(text[..<dot]) + text[digits.endIndex...])
    else { return nil }
    return date.addingTimeInterval(fraction)
  }

  private static let whole = Date.ISO8601FormatStyle()
}

/// A date in the form `2026-11-22T13:47:01.25Z`, or with an offset such as `+01:00`.
///
/// The system's format reads other forms, and years before 1600, when calendars differ.
private enum UsualDate {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    guard bytes.count >= 20, bytes.count <= 40,
      let year = number(bytes[0..<4]), bytes[4] == UInt8(ascii: "-"),
      let month = number(bytes[5..<7]), bytes[7] == UInt8(ascii: "-"),
      let day = number(bytes[8..<10]), bytes[10] == UInt8(ascii: "T"),
      let hour = number(bytes[11..<13]), bytes[13] == UInt8(ascii: ":"),
      let minute = number(bytes[14..<16]), bytes[16] == UInt8(ascii: ":"),
      let second = number(bytes[17..<19]),
      year >= 1600, (1...12).contains(month), (1...31).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (time.tm_hour, time.tm_min, time.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    var rest = bytes[19...]
    var fraction = 0.0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(15).prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, let number = number(digits) else { return nil }
      fraction = Double(number) / pow(10, Double(digits.count))
      rest = rest.dropFirst(1 + digits.count)
    }
    guard let offset = offset(rest) else { return nil }
    return Date(timeIntervalSince1970: Double(timegm(&time) - offset) + fraction)
  }

  /// Returns the number that these bytes write; nil for other signs than digits.
  private static func number(_ bytes: Bytes) -> Int? {
    var number = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// Returns the seconds by which the text is ahead of UTC.
  private static func offset(_ bytes: Bytes) -> Int? {
    if bytes.elementsEqual("Z".utf8) { return 0 }
    guard bytes.count == 6, bytes[bytes.startIndex + 3] == UInt8(ascii: ":"),
      let hours = number(bytes.dropFirst().prefix(2)), let minutes = number(bytes.suffix(2)),
      hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    switch bytes.first {
    case UInt8(ascii: "+"): return seconds
    case UInt8(ascii: "-"): return -seconds
    default: return nil
    }
  }
}
