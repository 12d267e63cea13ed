package import Foundation

/// Detects for a ledger that the device's date was set back.
///
/// Apps' own ledgers call it as ``FetchLedger/isSetBack(_:from:)``.
package enum DateGuard {
  /// By how many seconds a clock may be corrected without counting as set back.
  private static let tolerance = 1.0

  /// Whether a date is earlier than the latest one that was seen.
  package static func isSetBack(_ date: Date, from greatest: Date?) -> Bool {
    guard let greatest else { return false }
    return greatest.timeIntervalSince(date) > tolerance
  }

  /// Whether a date is so much later than a ledger's latest date that the ledger should note it.
  package static func isNews(_ date: Date, to greatest: Date?) -> Bool {
    greatest.map { date.timeIntervalSince($0) > 60 } ?? true
  }

  /// The later of two dates; a date that is not finite, or `distantFuture`, is ignored.
  package static func greatest(_ date: Date, _ other: Date?) -> Date? {
    guard date.timeIntervalSinceReferenceDate.isFinite, date != .distantFuture else { return other }
    return other.map { max($0, date) } ?? date
  }
}
