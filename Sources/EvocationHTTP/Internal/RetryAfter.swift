import Evocation
import Foundation

/// Reads the times that a service asks to wait, limited to ten years.
enum RetryAfter {
  static let longest = Duration.seconds(10 * 366 * 86_400)

  /// Returns the wait that the field `Retry-After` asks for: seconds, or a date.
  ///
  /// A date is compared with the answer's date, or with `now` if the answer has none. The names of
  /// `headers` are in lowercase.
  static func duration(of headers: [String: String], now: Date = Date()) -> Duration? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = seconds(text) { return seconds }
    guard let date = date(text) else { return nil }
    return wait(until: date, headers, now: now)
  }

  /// Returns the wait for a text of seconds, which may be a fraction or have any number of digits.
  static func seconds(_ text: String) -> Duration? {
    let text = text.trimmingCharacters(in: .whitespaces)
    // `Double` reads hexadecimal and words, too.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }),
      let seconds = Double(text)
    else { return nil }
    return Duration(nearest: seconds).map { min(max($0, .zero), longest) }
  }

  /// Returns the wait until a date by the service's clock, if the answer has its time.
  static func wait(until date: Date, _ headers: [String: String], now: Date = Date()) -> Duration {
    let start = headers["date"].flatMap { self.date($0) } ?? now
    return min(Duration(from: start, to: date) ?? .zero, longest)
  }

  /// Returns a date in one of the three forms of RFC 9110 (5.6.7); the last two are obsolete.
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    let text = text.split(separator: " ").joined(separator: " ")
    let forms = [
      "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
      "EEE MMM d HH:mm:ss yyyy",
    ]
    return forms.lazy.compactMap { form in
      formatter.dateFormat = form
      return formatter.date(from: text)
    }.first
  }
}
