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
    let usual = text.withUTF8 { bytes in UsualDate(bytes)?.date }
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
private struct UsualDate {
  private(set) var date = Date(timeIntervalSince1970: 0)

  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 20, bytes.count <= 40,
      let year = Self.number(bytes, 0, 4), bytes[4] == UInt8(ascii: "-"),
      let month = Self.number(bytes, 5, 2), bytes[7] == UInt8(ascii: "-"),
      let day = Self.number(bytes, 8, 2), bytes[10] == UInt8(ascii: "T"),
      let hour = Self.number(bytes, 11, 2), bytes[13] == UInt8(ascii: ":"),
      let minute = Self.number(bytes, 14, 2), bytes[16] == UInt8(ascii: ":"),
      let second = Self.number(bytes, 17, 2),
      year >= 1600, (1...12).contains(month), (1...Self.days(month, year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var at = 19
    var (fraction, scale) = (0.0, 1.0)
    if bytes[at] == UInt8(ascii: ".") {
      at += 1
      let start = at
      while at < bytes.count, at - start < 15, let digit = Self.number(bytes, at, 1) {
        fraction = fraction * 10 + Double(digit)
        scale *= 10
        at += 1
      }
      guard at > start else { return nil }
    }
    guard let offset = Self.offset(bytes, at) else { return nil }
    let time = (Self.daysSince1970(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    date = Date(timeIntervalSince1970: Double(time - offset) + fraction / scale)
  }

  /// Returns a number of digits from a position as a number.
  private static func number(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
  ) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var number = 0
    for index in start..<start + count {
      let digit = Int(bytes[index]) - 48
      guard (0...9).contains(digit) else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Returns the seconds by which the text is ahead of UTC.
  private static func offset(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int? {
    guard at < bytes.count else { return nil }
    if bytes[at] == UInt8(ascii: "Z") { return at + 1 == bytes.count ? 0 : nil }
    guard at + 6 == bytes.count, bytes[at + 3] == UInt8(ascii: ":"),
      let hours = number(bytes, at + 1, 2), let minutes = number(bytes, at + 4, 2),
      hours < 24, minutes < 60
    else { return nil }
    switch bytes[at] {
    case UInt8(ascii: "+"): return hours * 3600 + minutes * 60
    case UInt8(ascii: "-"): return -hours * 3600 - minutes * 60
    default: return nil
    }
  }

  private static func days(_ month: Int, _ year: Int) -> Int {
    guard month == 2 else { return [4, 6, 9, 11].contains(month) ? 30 : 31 }
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  }

  /// Returns the days since 1970 in the Gregorian calendar.
  ///
  /// From "chrono-Compatible Low-Level Date Algorithms" by Howard Hinnant, `days_from_civil`.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
