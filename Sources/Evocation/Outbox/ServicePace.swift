import Foundation

/// How fast a service is asked: how many requests may begin now, or from when on.
///
/// After a failure the service is left alone, longer with each that follows, and at least as long as
/// it asks for. Then one request goes as a probe, and when that succeeds, more and more may run at
/// once. A service that was away for long, or that refuses requests, is asked with caution: see
/// ``ServiceInterval``.
///
/// One pace stands for one service, whatever is sent to it. It knows no task, clock or lock: moments
/// are times since some start, and each `chance` is a number from 0 up to 1, drawn for that call.
struct ServicePace: Sendable {
  /// How many requests may begin beside those that run.
  enum Room: Sendable, Hashable {
    /// So many, at least one.
    case now(Int)
    /// None before this moment.
    case from(Duration)
    /// None before one that runs has ended.
    case whenOneEnds
  }

  /// A request that has begun, and is to be ended once.
  struct Request: Sendable {
    /// A failure ends a round, and the requests that are left of it say nothing new.
    fileprivate let round: Int
  }

  private enum Phase: Sendable {
    /// So many requests may run at once.
    case open(Int)
    /// None until a moment, after so many failures one after another; then a probe.
    case closed(until: Duration, failures: Int)
  }

  private let retry: Strategy.Retry
  private let concurrency: Int
  private var phase = Phase.open(1)
  private var interval: ServiceInterval
  private var round = 0
  private var running = (all: 0, ofRound: 0)
  /// When the last request began, and the chance by which the next one comes sooner or later.
  private var last: (began: Duration, chance: Double)?
  /// Until when the service asked to be left alone.
  private var refusedUntil = Duration.zero
  private var cameBack: Duration?

  /// Makes the pace of a service that nobody has asked yet, with so many requests at once at most.
  init(_ retry: Strategy.Retry, concurrency: Int = 4) {
    self.retry = retry
    self.concurrency = max(1, concurrency)
    interval = ServiceInterval(retry)
  }

  /// How many requests may begin now, beside those that run.
  func room(at now: Duration) -> Room {
    let opening = max(opening, refusedUntil)
    guard opening <= now else { return .from(opening) }
    let most =
      switch phase {
      case .open(let most): interval.isNone ? most : min(most, running.ofRound.addingClamped(1))
      case .closed: 1
      }
    let free = min(most - running.ofRound, concurrency - running.all)
    return free > 0 ? .now(free) : .whenOneEnds
  }

  /// A request begins, and is to be given to one of `succeed`, `fail` and `end`.
  mutating func begin(at now: Duration, chance: Double) -> Request {
    if let last { interval.forget(after: now.subtracting(last.began)) }
    last = (now, chance)
    running = (running.all.addingClamped(1), running.ofRound.addingClamped(1))
    return Request(round: round)
  }

  /// A request was done, or refused for good: in both cases the service works.
  mutating func succeed(_ request: Request, at now: Duration) {
    guard leave(request) else { return }
    switch phase {
    case .open(let most):
      phase = .open(min(most.addingClamped(1), concurrency))
    case .closed(_, let failures):
      phase = .open(min(2, concurrency))
      interval.wasAway(for: retry.longestPause(after: failures), at: now)
    }
    interval.shorten(at: now)
  }

  /// A request failed in a way that may pass, so that the service is left alone for a while.
  ///
  /// What fails beside another failure, because it began before it, is the same failure.
  ///
  /// - Returns: Whether the entry may be to blame: the service was well until then, and did not ask
  ///   to wait. Such an entry waits for a pause of its own too, so that the probe is another one.
  @discardableResult
  mutating func fail(
    _ request: Request, retryAfter: Duration?, at now: Duration, chance: Double
  ) -> Bool {
    let asked = min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)
    refusedUntil = max(refusedUntil, now.adding(asked))
    guard leave(request) else { return false }
    switch phase {
    case .open:
      interval.lengthen(asked: asked, at: now)
      close(after: 1, asked: asked, at: now, chance: chance)
      return retryAfter == nil
    case .closed(_, let failures):
      interval.atLeast(asked, at: now)
      close(after: failures.addingClamped(1), asked: asked, at: now, chance: chance)
      return false
    }
  }

  /// A request ended with what says nothing of the service, such as its cancellation.
  mutating func end(_ request: Request) { _ = leave(request) }

  /// What was missing is there again: the network, or who uses the app.
  ///
  /// A probe goes soon, though no sooner than the service asked for. Many devices may come back
  /// together; so it does not go at once, and if the service does not take it, the next ones are
  /// spread over the longest pause.
  mutating func comeBack(at now: Duration, chance: Double) {
    let soon = now.adding(Self.comingBack.multiplied(by: chance))
    switch phase {
    case .open: phase = .closed(until: soon, failures: 0)
    case .closed(let until, let failures):
      phase = .closed(until: min(until, soon), failures: failures)
    }
    cameBack = now
    last = nil
    nextRound()
  }

  /// From when on the phase lets a request begin.
  private var opening: Duration {
    switch phase {
    case .open: next(after: 1)
    case .closed(let until, 0): until
    case .closed(let until, _): max(until, next(after: interval.rest))
    }
  }

  private func next(after intervals: Double) -> Duration {
    guard let last else { return .zero }
    let jitter = 1 + retry.boundedJitter * (2 * last.chance - 1)
    return interval.end(ofWait: intervals * jitter, from: last.began)
  }

  private mutating func close(
    after failures: Int, asked: Duration, at now: Duration, chance: Double
  ) {
    if failures > 1 || asked > .zero, isAmongMany(at: now) {
      let pause = max(asked, retry.longestPause.multiplied(by: chance))
      phase = .closed(until: now.adding(pause), failures: max(failures, Self.manyFailures))
    } else {
      let longest = max(retry.longestPause(after: failures), min(asked, retry.longestPause))
      let jitter = longest.multiplied(by: retry.boundedJitter)
      let pause = max(asked, longest.subtracting(jitter)).adding(jitter.multiplied(by: chance))
      phase = .closed(until: now.adding(pause), failures: failures)
    }
    nextRound()
  }

  /// Whether all that came back together may be asking now.
  private func isAmongMany(at now: Duration) -> Bool {
    cameBack.map { now.subtracting($0) < Self.comingBack.multiplied(by: 5) } ?? false
  }

  private mutating func nextRound() {
    round &+= 1
    running.ofRound = 0
  }

  /// Whether a request that ended is of this round.
  private mutating func leave(_ request: Request) -> Bool {
    running.all = max(0, running.all - 1)
    guard request.round == round else { return false }
    running.ofRound = max(0, running.ofRound - 1)
    return true
  }
}

extension ServicePace {
  /// The longest `Retry-After` that is obeyed, because a mistaken or hostile one must not silence an
  /// app for ever; whoever is away for longer is asked once a day.
  static let longestRetryAfter = Duration.seconds(86_400)

  /// The time over which devices that come back together send their first probes: so short that
  /// nobody notices, and long enough for the probes of one second not to meet.
  static let comingBack = Duration.seconds(2)

  /// As many failures as make the longest pause, whatever the first one is.
  private static let manyFailures = 64
}

extension Strategy.Retry {
  /// The longest pause of all.
  var longestPause: Duration { max(maximumDelay, .zero).bounded }

  /// The jitter within its bounds.
  var boundedJitter: Double { min(max(jitter, 0), 1) }

  /// The longest pause after so many failures, however many attempts there may be.
  func longestPause(after failures: Int) -> Duration {
    guard failures > 0 else { return .zero }
    let growth = pow(max(multiplier, 1), Double(failures - 1))
    return min(max(delay, .zero).multiplied(by: growth), longestPause)
  }

  /// How long an entry waits that may be to blame for so many failures.
  func pause(ofEntryAfter failures: Int, chance: Double) -> Duration {
    longestPause(after: failures).multiplied(by: 1 - boundedJitter * chance)
  }
}
