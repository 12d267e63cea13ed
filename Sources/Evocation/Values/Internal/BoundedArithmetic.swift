package import Foundation

/// Arithmetic of durations that stops at bounds and never traps.
///
/// Durations come from strategies' files, ledgers and servers. The operators of `Duration` end the
/// process if a result, or its number of seconds, overflows.
extension Duration {
  /// The longest result: as many seconds as an `Int64` holds.
  package static let longest = Duration.seconds(Int64.max)

  /// The longest sleep, because some clocks cannot count further and would wake immediately.
  package static let tooLongToSleep = Duration.seconds(100 * 366 * 86_400)

  /// Creates the duration nearest to a number of seconds, which may be infinite; nil for NaN.
  package init?(nearest seconds: Double) {
    guard !seconds.isNaN else { return nil }
    if abs(seconds) < Self.longest.seconds {
      self = .seconds(seconds)
    } else {
      self = seconds < 0 ? .zero - .longest : .longest
    }
  }

  /// Creates the time between two dates; nil if the second is earlier, or one of them is not
  /// finite.
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

  /// The duration, or the longest one in its direction.
  package var bounded: Duration { min(max(self, .zero - .longest), .longest) }

  /// Returns the sum, within the bounds.
  package func adding(_ other: Duration) -> Duration { (bounded + other.bounded).bounded }

  /// Returns the difference, within the bounds.
  package func subtracting(_ other: Duration) -> Duration { (bounded - other.bounded).bounded }

  /// Returns the product, within the bounds; zero if the factor is NaN.
  package func multiplied(by factor: Double) -> Duration {
    guard self != .zero, let product = Duration(nearest: seconds * factor) else { return .zero }
    return abs(product.seconds) < Self.longest.seconds ? bounded * factor : product
  }
}

extension FixedWidthInteger {
  /// Returns the sum, or the greatest or least number if it overflows.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, isOver) = addingReportingOverflow(other)
    guard isOver else { return sum }
    return other > 0 ? .max : .min
  }

  /// Returns the difference, or the greatest or least number if it overflows.
  package func subtractingClamped(_ other: Self) -> Self {
    let (difference, isOver) = subtractingReportingOverflow(other)
    guard isOver else { return difference }
    return other > 0 ? .min : .max
  }
}
