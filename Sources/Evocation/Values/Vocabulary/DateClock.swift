public import Foundation

/// A clock that also has a date, by which ages are counted across launches.
///
/// With a clock of this kind in the configuration, fetches get their dates from it; with any other
/// clock, from the system.
///
/// This clock dates fetches as the server would, on a device whose own date may be wrong:
///
/// ```swift
/// struct ServerClock: DateClock {
///   let ahead: TimeInterval
///
///   var date: Date { Date() + ahead }
///   var now: ContinuousClock.Instant { .now }
///   var minimumResolution: Duration { .zero }
///
///   func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
///     try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
///   }
/// }
/// ```
public protocol DateClock: Clock, Sendable where Duration == Swift.Duration {
  /// The present date.
  var date: Date { get }
}
