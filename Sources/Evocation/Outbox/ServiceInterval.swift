import Foundation

/// The time between two requests to a service that is asked with caution.
///
/// A device knows neither how many others there are, nor what the service can take. It knows how
/// long it has left the service alone, and begins with a share of that. Each refusal makes the
/// interval longer, and has the device sit out a few of them. Each success makes it a little
/// shorter, and time makes it shorter too, first slowly and then faster: as the others' queues run
/// empty, there is more for each of the rest, and a device that was refused more often than others
/// catches up. All times go by the longest pause, which says how large a fleet may be.
///
/// The numbers below were found by simulating fleets: see `Documentation/Fleet.md`.
struct ServiceInterval: Sendable {
  /// How much of the pause before the probe is the first interval after it.
  private static let share = 0.36
  /// By which a refusal makes the interval longer.
  private static let lengthening = 1.3
  /// How many intervals pass after the first refusal until the next request; after the second one
  /// half as many, and so on: a device that was refused more often is not to fall behind.
  private static let rest = 4.0
  /// By which a success makes the interval shorter.
  private static let shortening = 1 / 1.02
  /// How many longest pauses it takes until time has made the interval shorter by e^½.
  private static let fading = 1.85
  /// After how many longest pauses without a request everything is forgotten.
  private static let memory = 4.0

  private let retry: Strategy.Retry
  /// The mean time; zero when there is no caution.
  private var length = Duration.zero
  /// Since when time makes it shorter, and until when it has done so already.
  private var fades = (since: Duration.zero, until: Duration.zero)

  private var refusals = 0

  init(_ retry: Strategy.Retry) { self.retry = retry }

  /// Whether requests need no time between them.
  var isNone: Bool { length == .zero }

  /// How many intervals to wait after the last refusal.
  var rest: Double { max(Self.rest / Double(max(refusals, 1)), 1) }

  /// When a wait of so many intervals ends, by which time each of them is shorter.
  func end(ofWait intervals: Double, from start: Duration) -> Duration {
    let wait = length.multiplied(by: intervals)
    return start.adding(wait.multiplied(by: fade(from: start, to: start.adding(wait))))
  }

  /// The service was left alone for so long before it took a request.
  mutating func wasAway(for pause: Duration, at now: Duration) {
    atLeast(pause.multiplied(by: Self.share), at: now)
  }

  /// The service asked for this time, to which the interval is not shorter.
  mutating func atLeast(_ asked: Duration, at now: Duration) {
    guard asked > length else { return }
    length = min(asked, retry.longestPause)
    fades = (now, now)
    refusals = 0
  }

  /// The service refused a request while it took others.
  mutating func lengthen(asked: Duration, at now: Duration) {
    fade(until: now)
    length = min(length.multiplied(by: Self.lengthening), retry.longestPause)
    atLeast(asked, at: now)
    refusals = refusals.addingClamped(1)
  }

  /// The service took a request.
  mutating func shorten(at now: Duration) {
    fade(until: now)
    length = length.multiplied(by: Self.shortening)
    if length < retry.delay { length = .zero }
  }

  /// Nothing was asked for so long.
  mutating func forget(after time: Duration) {
    if time > retry.longestPause.multiplied(by: Self.memory) { length = .zero }
  }

  private mutating func fade(until now: Duration) {
    length = length.multiplied(by: fade(from: fades.until, to: now))
    fades.until = now
  }

  /// The part that is left at a moment of an interval that was whole at an earlier one.
  private func fade(from start: Duration, to end: Duration) -> Double {
    let unit = max(retry.longestPause.seconds, 1e-9) * Self.fading
    let before = max(start.subtracting(fades.since).seconds / unit, 0)
    let after = max(end.subtracting(fades.since).seconds / unit, before)
    return exp((before - after) * (before + after) / 2)
  }
}
