/// A clock of any kind, as time since it was wrapped.
struct TimeSource: Sendable {
  /// The time that has gone by.
  let now: @Sendable () -> Duration
  /// Waits, and ends early with `CancellationError` when cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: any Clock<Duration>) {
    // Told apart because the compiler then knows the usual clock; any other looks its types up
    // each time it is read.
    if let clock = clock as? ContinuousClock {
      self.init(reading: clock)
    } else {
      self.init(reading: clock)
    }
  }

  private init(reading clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
