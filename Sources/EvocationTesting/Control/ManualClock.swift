public import Evocation
public import Foundation

/// A clock that moves only when your test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let evocation = Evocation(configuration: .init(clock: clock))
/// clock.advance(by: .seconds(5))
/// ```
///
/// Its date moves with it, and begins with 2001 by default. ``setDate(_:)`` changes only the date, as
/// a user does who sets the device's clock. Safe to use from any thread.
public final class ManualClock: DateClock, Sendable {
  /// A point in time of this clock.
  public struct Instant: InstantProtocol {
    /// The time since your test created the clock.
    public let offset: Duration

    /// Returns the point in time after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.adding(duration))
    }

    /// Returns the time until another point in time.
    public func duration(to other: Instant) -> Duration { other.offset.subtracting(offset) }

    /// Returns whether the first point in time is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    /// The date of the clock's zero.
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

  /// Creates a clock at zero, with this date.
  public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    state = Lock(State(start: date))
  }

  /// The present point in time.
  public var now: Instant { state.withLock { $0.now } }

  /// The present date.
  public var date: Date {
    state.withLock { $0.start.addingTimeInterval($0.now.offset.seconds) }
  }

  /// Sets the date, and leaves the time as it is.
  public func setDate(_ date: Date) {
    state.withLock { $0.start = date.addingTimeInterval(-$0.now.offset.seconds) }
  }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// Waits until your test advances the clock to the deadline.
  ///
  /// - Throws: `CancellationError` when the task is canceled before.
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

  /// Advances the clock, and wakes the tasks whose deadline it reaches.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.wake.fulfil(true) }
  }

  /// Waits until tasks have begun to sleep on this clock this many times.
  ///
  /// - Returns: Whether they have; false when the task was canceled before.
  @discardableResult
  public func sleeps(_ count: Int) async -> Bool { await fallingAsleep.reach(count) }
}
