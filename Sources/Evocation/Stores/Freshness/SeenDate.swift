package import Foundation

/// The greatest date that a ledger has seen, by which it notices that the date was set back.
///
/// A date before it was set back, and then the age of every fetch is unknown. A clock that is corrected
/// by a second was not set back. A date that was set back while nothing looked, and that is later than
/// the greatest one, passes as right.
package struct SeenDate: Sendable, Hashable {
  /// The latest date that was recorded, also by a fetch; nil if there is none.
  package private(set) var greatest: Date?

  /// Creates it from what a ledger has kept.
  package init(_ greatest: Date? = nil) { self.greatest = greatest }

  /// Returns whether a date was set back.
  package func isSetBack(_ date: Date) -> Bool {
    greatest.map { $0.timeIntervalSince(date) > 1 } ?? false
  }

  /// Returns whether a date is so much later that it should be recorded.
  package func isNews(_ date: Date) -> Bool {
    guard Self.later(date, nil) != nil else { return false }
    return greatest.map { date.timeIntervalSince($0) > 60 } ?? true
  }

  /// Records the present date; true where it was set back, and the age of every fetch is unknown.
  package mutating func record(_ date: Date) -> Bool {
    let isSetBack = isSetBack(date)
    greatest = isSetBack ? date : Self.later(date, greatest)
    return isSetBack
  }

  /// Records the date of a fetch.
  package mutating func recordFetch(at date: Date) { greatest = Self.later(date, greatest) }

  /// The later of two dates; a date that is not finite, or `distantFuture`, is ignored.
  static func later(_ date: Date, _ other: Date?) -> Date? {
    guard date.timeIntervalSinceReferenceDate.isFinite, date != .distantFuture else { return other }
    return other.map { max($0, date) } ?? date
  }
}
