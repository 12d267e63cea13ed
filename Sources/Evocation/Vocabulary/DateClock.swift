public import Foundation

/// A clock that also has a date, by which ages are counted across launches.
///
/// With a clock of this kind in the configuration, fetches get their dates from it; with any other
/// clock, from the system.
public protocol DateClock: Clock, Sendable where Duration == Swift.Duration {
  /// The present date.
  var date: Date { get }
}
