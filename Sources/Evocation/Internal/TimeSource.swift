/// A clock of any kind, as time since it was wrapped.
struct TimeSource: Sendable {
  /// The time that has gone by.
  let now: @Sendable () -> Duration
  /// Waits, and ends early with `CancellationError` when cancelled.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
