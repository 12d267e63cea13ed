/// A clock of any kind, as time since it was wrapped, which is never beyond ``Duration/longest``.
struct TimeSource: Sendable {
  /// The time that has gone by.
  let now: @Sendable () -> Duration
  /// Waits, and ends early with `CancellationError` when cancelled.
  ///
  /// What is too long to sleep never ends otherwise.
  let sleep: @Sendable (Duration) async throws -> Void
  /// Waits until so much time has gone by in all, and ends early as above.
  let sleepUntil: @Sendable (Duration) async throws -> Void

  init(_ clock: any Clock<Duration>) {
    if let clock = clock as? ContinuousClock {
      self.init(clock)
    } else {
      self.init(some: clock)
    }
  }

  /// The usual clock, which the compiler knows; any other is looked up each time it is read.
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
