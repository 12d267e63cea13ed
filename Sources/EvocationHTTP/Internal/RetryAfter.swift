import Evocation
import Foundation

/// Reads the field `Retry-After`.
enum RetryAfter {
  /// The wait that the field asks for: seconds, or a date, which is compared with the answer's
  /// date.
  ///
  /// The names of `headers` are in lower case; `now` serves for an answer without a date.
  static func duration(of headers: [String: String], now: Date = Date()) -> Duration? {
    guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else {
      return nil
    }
    if let seconds = Int64(text) { return seconds < 0 ? .zero : .seconds(seconds) }
    guard let date = self.date(text) else { return nil }
    let start = headers["date"].flatMap { self.date($0) } ?? now
    return Duration(from: start, to: date) ?? .zero
  }

  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
