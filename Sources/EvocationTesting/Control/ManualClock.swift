public import Evocation
public import Foundation

/// A clock that stands still until the test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let evocation = Evocation(configuration: .init(clock: clock))
/// clock.advance(by: .seconds(5))
/// ```
///
/// Its date moves with it, from the beginning of 2001 by default, and can be set apart
/// from it, as a user sets a device's clock. Safe to use from any thread.
public final class ManualClock: DateClock, Sendable {
  /// A moment of this clock: the time since it was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// The moment later by a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.adding(duration))
    }

    /// The time from here to another moment.
    public func duration(to other: Instant) -> Duration {
      other.offset.subtracting(offset)
    }

    /// Whether a moment is earlier.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct State {
    var now = Instant(offset: .zero)
    /// The date when the clock stood at zero.
    var start: Date
    var sleepers: [UInt64: Sleeper] = [:]
    var nextID: UInt64 = 0
  }

  private struct Sleeper {
    let deadline: Instant
    let wake: Promise<Bool>
  }

  private let state: Lock<State>
  private let fallingAsleep = Gate.Counter()

  /// Makes a clock that stands at zero.
  public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    state = Lock(State(start: date))
  }

  /// The present moment.
  public var now: Instant { state.withLock { $0.now } }

  /// The present date.
  public var date: Date {
    state.withLock { $0.start.addingTimeInterval($0.now.offset.seconds) }
  }

  /// Sets the date, and leaves the time that goes by as it is.
  public func setDate(_ date: Date) {
    state.withLock { $0.start = date.addingTimeInterval(-$0.now.offset.seconds) }
  }

  /// Zero: the clock shows every moment exactly.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock has been moved to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let wake = Promise<Bool>()
    let id = state.withLock { state -> UInt64? in
      guard deadline > state.now else { return nil }
      state.nextID += 1
      state.sleepers[state.nextID] = Sleeper(deadline: deadline, wake: wake)
      return state.nextID
    }
    guard let id else { return }
    fallingAsleep.increase()
    let isTime = await withTaskCancellationHandler {
      await wake.value
    } onCancel: {
      wake.fulfil(false)
    }
    state.withLock { $0.sleepers[id] = nil }
    if !isTime { throw CancellationError() }
  }

  /// Advances the clock, and wakes the tasks whose deadline has come.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.wake.fulfil(true) }
  }

  /// Waits until tasks have gone to sleep on this clock this many times since it was made.
  ///
  /// - Returns: Whether they have; false when the task was cancelled before, as a test's time limit
  ///   does.
  @discardableResult
  public func sleeps(_ count: Int) async -> Bool {
    await fallingAsleep.reach(count)
  }
}
