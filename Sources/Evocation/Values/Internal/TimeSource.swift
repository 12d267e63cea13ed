package import Foundation

/// The clocks of a cache.
package struct CacheTime: Sendable {
  package let source: TimeSource
  package let date: @Sendable () -> Date

  package init(_ clock: any Clock<Duration>) {
    source = TimeSource(clock)
    if let clock = clock as? any DateClock {
      date = { clock.date }
    } else {
      date = { Date() }
    }
  }

  package var now: CacheMoment { CacheMoment(date: date(), time: source.now()) }
}

/// A point in time by two clocks: the date, which can be set, and a time that never goes back.
package struct CacheMoment: Sendable {
  package var date: Date
  package var time: Duration

  /// Whether the date was set since an earlier moment.
  package func isDateSet(since old: CacheMoment) -> Bool {
    abs(date.timeIntervalSince(old.date) - time.subtracting(old.time).seconds) > 1
  }
}

/// Any clock, as the time since it was wrapped, which is at most ``Duration/longest``.
package struct TimeSource: Sendable {
  /// The time since the clock was wrapped.
  package let now: @Sendable () -> Duration
  /// Waits for a time, and ends early with `CancellationError` if the task is canceled.
  ///
  /// If the time is too long for clocks to sleep, only cancellation ends it.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// Waits until this time since the clock was wrapped, and ends early in the same cases.
  let sleepUntil: @Sendable (Duration) async throws -> Void

  package init(_ clock: any Clock<Duration>) {
    if let clock = clock as? ContinuousClock {
      self.init(clock)
    } else {
      self.init(some: clock)
    }
  }

  /// Uses the usual clock as a concrete type, because reading an existential one is slower.
  private init(_ clock: ContinuousClock) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleepWithinBounds(for: $0) }
    sleepUntil = { try await clock.sleepWithinBounds(until: $0, since: start) }
  }

  private init(some clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now).bounded }
    sleep = { try await clock.sleepWithinBounds(for: $0) }
    sleepUntil = { try await clock.sleepWithinBounds(until: $0, since: start) }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Sleeps like `sleep(for:)`; if the time is too long for clocks, until the task is canceled.
  ///
  /// - Throws: `CancellationError` if the task is canceled before.
  package func sleepWithinBounds(for duration: Duration) async throws {
    guard duration < .tooLongToSleep else { throw await Cancellation.awaited() }
    try await sleep(for: max(duration, .zero))
  }

  /// Does the same, until a time after an earlier instant.
  func sleepWithinBounds(until time: Duration, since start: Instant) async throws {
    guard time.subtracting(start.duration(to: now)) < .tooLongToSleep else {
      throw await Cancellation.awaited()
    }
    try await sleep(until: start.advanced(by: max(time, .zero)), tolerance: nil)
  }
}

extension Cancellation {
  /// Waits until the task is canceled, and returns the error to throw.
  fileprivate static func awaited() async -> any Error {
    let cancelled = Promise<Void>()
    await withCancellationHandler {
      await cancelled.value
    } onCancel: {
      cancelled.fulfil(())
    }
    return error()
  }
}
