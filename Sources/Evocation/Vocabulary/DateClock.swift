public import Foundation

/// A clock that also knows the date, which is what ages are counted from across launches.
///
/// Give a clock of this kind to a configuration, and fetches are dated by it; any other clock
/// leaves the dates to the system.
public protocol DateClock: Clock, Sendable where Duration == Swift.Duration {
  /// The present date.
  var date: Date { get }
}
