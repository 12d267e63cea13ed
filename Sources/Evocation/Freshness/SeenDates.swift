package import Foundation

/// What a ledger has seen of the device's date, by which it notices that the date was set back.
///
/// What can be known when a date comes:
/// - A date earlier than the latest one was set back.
/// - Until the system restarts, its uptime says how much time has passed since a date was seen. A
///   date that went on by less was set back, also if it is later than the latest one.
/// - A restart comes after all that was seen before it, so that at least the present uptime has
///   passed since.
/// - Nothing says for how long the system was off. A date that was set back by less passes as right,
///   and data look younger by as much.
/// - A ledger of an earlier version, or of an app, has seen no uptime; then the dates alone count.
///
/// Clocks are corrected, which is no setting back: by a second, or by ten seconds beside the uptime,
/// from which the date drifts apart by less than a ten-thousandth.
package struct SeenDates: Sendable, Hashable {
  /// A start of the system.
  package struct Start: Sendable, Hashable, Codable {
    /// Its number.
    package let boot: Int64
    /// When it was, by the date that was noted last.
    package let date: Date

    /// Creates a start.
    package init(boot: Int64, date: Date) {
      self.boot = boot
      self.date = date
    }
  }

  /// The latest date that was noted, or of a fetch that was recorded.
  package var latest: Date?
  /// The start of the system before the date that was noted last; nil where no uptime was noted.
  package var start: Start?

  /// Creates what was seen; nothing by default.
  package init(latest: Date? = nil, start: Start? = nil) {
    self.latest = latest
    self.start = start
  }

  /// Returns whether a date was set back.
  package func isSetBack(_ date: Date, _ uptime: Uptime? = nil) -> Bool {
    guard let latest else { return false }
    if latest.timeIntervalSince(date) > 1 { return true }
    guard let start, let uptime else { return false }
    let passed = uptime.time.seconds
    let least = start.boot == uptime.boot ? start.date + passed : latest + passed
    return least.timeIntervalSince(date) > 10 + passed / 10_000
  }

  /// Returns whether a date, or its uptime, says so much more that it should be noted.
  package func isNews(_ date: Date, _ uptime: Uptime? = nil) -> Bool {
    guard Self.later(date, nil) != nil else { return false }
    if let uptime, start?.boot != uptime.boot { return true }
    return latest.map { date.timeIntervalSince($0) > 60 } ?? true
  }

  /// Notes the present date; true where it was set back, and the age of every fetch is unknown.
  package mutating func note(_ date: Date, _ uptime: Uptime? = nil) -> Bool {
    let isSetBack = isSetBack(date, uptime)
    latest = isSetBack ? date : Self.later(date, latest)
    if let uptime, date.timeIntervalSinceReferenceDate.isFinite {
      start = Start(boot: uptime.boot, date: date - uptime.time.seconds)
    } else if isSetBack {
      start = nil
    }
    return isSetBack
  }

  /// The later of two dates; a date that is not finite, or `distantFuture`, is ignored.
  package static func later(_ date: Date, _ other: Date?) -> Date? {
    guard date.timeIntervalSinceReferenceDate.isFinite, date != .distantFuture else { return other }
    return other.map { max($0, date) } ?? date
  }
}

/// A ledger that keeps an uptime beside the latest date.
package protocol UptimeLedger: FetchLedger {
  /// Returns what it has seen of the device's date.
  func seenDates() async throws -> SeenDates

  /// Notes the present date and uptime; where the date was set back, every record becomes undated.
  func note(_ date: Date, _ uptime: Uptime?) async throws
}
