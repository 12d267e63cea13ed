extension Clock where Duration == Swift.Duration {
  /// Waits as `sleep(for:)` does, and until it is cancelled where the time is too long to sleep.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before.
  package func sleepWithinBounds(for duration: Duration) async throws {
    guard duration < .tooLongToSleep else { throw await Cancellation.awaited() }
    try await sleep(for: max(duration, .zero))
  }

  /// The same until a time has gone by since an earlier moment.
  func sleepWithinBounds(until time: Duration, since start: Instant) async throws {
    guard time.subtracting(start.duration(to: now)) < .tooLongToSleep else {
      throw await Cancellation.awaited()
    }
    try await sleep(until: start.advanced(by: max(time, .zero)), tolerance: nil)
  }
}

extension Cancellation {
  /// Waits until the task is cancelled.
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
