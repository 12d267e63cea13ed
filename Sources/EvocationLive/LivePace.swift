internal import Evocation

/// When the next connection to a service may begin, for all model types of the service.
///
/// A lost connection fails for all of them at the same time, which counts as one failure.
final class LivePace: Sendable {
  private struct State {
    var failures = 0
    var opensAt = Duration.zero
    var attempt: UInt64 = 0
    var wasWoken = false
  }

  /// How long a connection has to stand until earlier failures no longer count.
  private static var good: Duration { .seconds(30) }
  private static var backoff: Backoff {
    Backoff(first: .seconds(1), longest: .minutes(5), jitter: 0.75)
  }

  private static var refusal: Backoff {
    Backoff(first: .hours(1), longest: .hours(1), jitter: 0.5)
  }

  /// Tells that the app, the network or the user has come back.
  typealias News = Broadcast<Void>.Events

  private let wakings = Broadcast<Void>()
  private let time: TimeSource
  private let chance: @Sendable () -> Double
  private let state = Lock(State())

  init(_ time: TimeSource, chance: @escaping @Sendable () -> Double) {
    self.time = time
    self.chance = chance
  }

  /// Waits until a connection may begin, and returns the number of the attempt.
  ///
  /// - Throws: `CancellationError`.
  func enter() async throws -> UInt64 {
    while true {
      try Task.checkCancellation()
      let (opensAt, attempt) = state.withLock { ($0.opensAt, $0.attempt) }
      let now = time.now()
      if opensAt <= now { return attempt }
      await wait(opensAt.subtracting(now))
    }
  }

  /// Waits, at most until the app, the network or the user has come back.
  func wait(_ pause: Duration) async {
    await wait(pause, for: news())
  }

  /// Waits until a service that refuses a model type may be asked again for its changes.
  ///
  /// Only that type waits: the others of the service are not refused. The service may ask never to be
  /// asked again.
  func wait(afterRefusal asked: Duration?, for news: News) async {
    await wait(Self.refusal.pause(after: 1, chance: chance(), asked: asked), for: news)
  }

  /// Returns what tells from now on that the app, the network or the user has come back.
  func news() -> News { wakings.events(keeping: 1) }

  private func wait(_ pause: Duration, for news: News) async {
    await withTaskGroup { group in
      group.addTask { [time] in try? await time.sleep(pause) }
      group.addTask { _ = await news.next() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Records the end of a connection; only the first one of an attempt counts.
  ///
  /// An end in order is no failure: the next connection begins when the service asks for it.
  ///
  /// - Returns: How long until the next connection may begin.
  func leave(_ attempt: UInt64, _ end: LiveEnd) -> Duration {
    let (now, chance) = (time.now(), chance())
    return state.withLock { state in
      guard state.attempt == attempt else { return max(.zero, state.opensAt.subtracting(now)) }
      state.attempt += 1
      state.wasWoken = false
      let asked = end.asked.map { min($0, .hours(24)) }
      let pause: Duration
      if end.isOrderly {
        state.failures = 0
        // A service that ends each stream immediately is asked once a second.
        let least = max(.milliseconds(100), Duration.seconds(1).subtracting(end.stood))
        pause = max(asked ?? Self.backoff.pause(after: 1, chance: chance), least)
      } else {
        state.failures = end.stood >= Self.good ? 1 : state.failures.addingClamped(1)
        pause = Self.backoff.pause(after: state.failures, chance: chance, asked: asked)
      }
      state.opensAt = now.adding(pause)
      return pause
    }
  }

  /// Whether the app, the network or the user has come back since the last connection ended.
  var wasWoken: Bool { state.withLock { $0.wasWoken } }

  /// Lets the next connection begin immediately, because the app or the network has come back.
  func reset() {
    state.withLock { $0.failures = 0 }
    wake()
  }

  /// Ends the present pauses, because the user has signed in again; the next failure pauses longer.
  func wake() {
    state.withLock { ($0.opensAt, $0.wasWoken) = (.zero, true) }
    wakings.tell()
  }
}
