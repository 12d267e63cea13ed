package import Foundation

/// The arithmetic of time that cannot end the process.
///
/// Durations come from strategies' files, ledgers and services, and the operators of `Duration` trap
/// where a result, or its seconds, has no room. Here it ends at the bounds instead.
extension Duration {
  /// The longest that any of this gives: as many seconds as a whole number holds.
  package static let longest = Duration.seconds(Int64.max)

  /// From here on nothing sleeps, because some clocks cannot count so far and would wake at once.
  package static let tooLongToSleep = Duration.seconds(100 * 366 * 86_400)

  /// Makes the duration nearest to a number of seconds, infinite or not; nil of what is no number.
  package init?(nearest seconds: Double) {
    guard !seconds.isNaN else { return nil }
    if abs(seconds) < Self.longest.seconds {
      self = .seconds(seconds)
    } else {
      self = seconds < 0 ? .zero - .longest : .longest
    }
  }

  /// Makes the time from a date to another; nil when the other is earlier, or one of them is no date.
  package init?(from date: Date, to other: Date) {
    let seconds = other.timeIntervalSince(date)
    guard seconds >= 0 else { return nil }
    self.init(nearest: seconds)
  }

  /// The duration in seconds.
  package var seconds: Double {
    let (seconds, attoseconds) = bounded.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The duration, or the longest there is in its direction.
  package var bounded: Duration { min(max(self, .zero - .longest), .longest) }

  /// The sum.
  package func adding(_ other: Duration) -> Duration { (bounded + other.bounded).bounded }

  /// The difference.
  package func subtracting(_ other: Duration) -> Duration { (bounded - other.bounded).bounded }

  /// The product.
  package func multiplied(by factor: Double) -> Duration {
    guard self != .zero, let product = Duration(nearest: seconds * factor) else { return .zero }
    return abs(product.seconds) < Self.longest.seconds ? bounded * factor : product
  }
}
