internal import Foundation

/// How long to pause after failures: longer after each, up to a longest pause.
package struct Backoff: Sendable {
  /// The pause after the first failure.
  package let first: Duration
  /// The factor by which each pause is longer than the one before.
  package let multiplier: Double
  package let longest: Duration
  /// The random part of a pause, from 0 to 1.
  package let jitter: Double

  package init(
    first: Duration, multiplier: Double = 2, longest: Duration, jitter: Double = 0
  ) {
    self.first = max(first, .zero)
    self.multiplier = max(multiplier, 1)
    self.longest = max(longest, .zero).bounded
    self.jitter = min(max(jitter, 0), 1)
  }

  /// Returns the pause after this many failures in a row, at least as long as a server asks for.
  ///
  /// `chance` is a number from 0 up to 1, drawn for this pause; 0 is for the longest pause.
  package func pause(
    after failures: Int, chance: Double = 0, asked: Duration? = nil
  ) -> Duration {
    guard failures > 0 else { return max(asked ?? .zero, .zero) }
    let growth = pow(multiplier, Double(failures - 1))
    let pause = min(first.multiplied(by: growth), longest)
    return max(pause.multiplied(by: 1 - jitter * chance), asked ?? .zero)
  }
}
