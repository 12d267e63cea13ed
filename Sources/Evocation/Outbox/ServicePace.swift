import Foundation

/// How fast a service is asked: how many requests may begin now, or from when on.
///
/// After a failure the service is left alone, longer with each that follows, and at least as long as
/// it asks for. Then one request goes as a probe, and when that succeeds, more and more may run at
/// once.
///
/// A service that was away for long was missed by a whole fleet, and no device knows the others. So
/// each takes a moment of its own within the longest pause, and keeps to it with every longest pause
/// that follows. When its probe succeeds, it sends with caution: one request at a time, some seconds
/// apart, and if one is refused, the pause begins again. `Documentation/Fleet.md` tells more.
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
    /// None until a moment, then a probe.
    case closed(until: Duration, Pause)
  }

  private struct Pause: Sendable {
    /// How long it is at most; zero where nothing has failed.
    let length: Duration
    /// The caution if the probe succeeds.
    let caution: Duration
  }

  private let retry: Strategy.Retry
  private let concurrency: Int
  private var phase = Phase.open(1)
  /// What a refusal brings again: the pause before the probe, less with each success, zero if short.
  private var caution = Duration.zero
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
  }

  /// How many requests may begin now, beside those that run.
  func room(at now: Duration) -> Room {
    let opening = max(opening, refusedUntil)
    guard opening <= now else { return .from(opening) }
    let most =
      switch phase {
      case .open(let most): caution == .zero ? most : 1
      case .closed: 1
      }
    let free = min(most - running.ofRound, concurrency - running.all)
    return free > 0 ? .now(free) : .whenOneEnds
  }

  /// Whether the service took what it was sent last.
  var isWell: Bool {
    if case .open = phase { true } else { false }
  }

  /// A request begins, and is to be given to one of `succeed`, `fail` and `end`.
  mutating func begin(at now: Duration, chance: Double) -> Request {
    forget(at: now)
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
      caution = caution.multiplied(by: Self.shortening)
    case .closed(_, let pause):
      phase = .open(min(2, concurrency))
      caution = pause.caution
    }
    if caution < retry.delay.multiplied(by: Self.shortPause) { caution = .zero }
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
      close(max(retry.delay, caution), after: caution, asked: asked, at: now, chance: chance)
      return retryAfter == nil
    case .closed(_, let pause):
      let next = max(retry.delay, pause.length.multiplied(by: max(retry.multiplier, 1)))
      close(next, after: pause.length, asked: asked, at: now, chance: chance)
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
    case .open:
      forget(at: now)
      phase = .closed(until: soon, Pause(length: caution, caution: caution))
    case .closed(let until, let pause): phase = .closed(until: min(until, soon), pause)
    }
    cameBack = now
    last = nil
    nextRound()
  }

  /// A user asks: a probe may go at once, though no sooner than the service asked for.
  ///
  /// If it succeeds there is no caution, because users do not ask in the same second.
  mutating func wanted(at now: Duration) {
    caution = .zero
    switch phase {
    case .open: break
    case .closed(let until, let pause):
      phase = .closed(until: min(until, now), Pause(length: pause.length, caution: .zero))
    }
  }

  /// The service has asked to be left alone, as an earlier process was told.
  mutating func leaveAlone(until moment: Duration) { refusedUntil = max(refusedUntil, moment) }

  /// From when on the phase lets a request begin.
  private var opening: Duration {
    switch phase {
    case .open:
      guard let last, caution > .zero else { return .zero }
      let jitter = 1 + retry.boundedJitter * (2 * last.chance - 1)
      return last.began.adding(caution.multiplied(by: Self.interval * jitter))
    case .closed(let until, _): return until
    }
  }

  /// Forgets an outage when nothing was sent for as long.
  private mutating func forget(at now: Duration) {
    if let last, now.subtracting(last.began) > caution { caution = .zero }
  }

  /// Leaves the service alone for a pause after an earlier one, and for what it asked for at least.
  private mutating func close(
    _ pause: Duration, after earlier: Duration, asked: Duration, at now: Duration, chance: Double
  ) {
    let longest = retry.longestPause
    let isFleet = (earlier > .zero || asked > .zero) && isAmongMany(at: now)
    let length = isFleet ? longest : min(max(pause, .zero), longest)
    let jitter = length.multiplied(by: retry.boundedJitter)
    // The first longest pause ends at any moment within it, and those that follow keep to that.
    let most = max(length.subtracting(retry.delay), .zero)
    let ofLongest = earlier < longest ? min(jitter.multiplied(by: 2), most) : .zero
    let isUsual = length < longest || earlier == .zero
    let spread = isFleet ? length : isUsual ? jitter : ofLongest
    let least = length.subtracting(spread)
    let wait =
      asked <= least
      ? least.adding(spread.multiplied(by: chance))
      : asked.adding(max(length.subtracting(asked), jitter).multiplied(by: chance))
    phase = .closed(until: now.adding(wait), Pause(length: length, caution: length))
    caution = .zero
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
  /// Pauses of fewer first pauses than this are no outage, and are followed by no caution.
  private static let shortPause = 100.0
  /// Which part of the caution lies between two requests: three seconds of the longest pause.
  private static let interval = 1 / 400.0
  /// What is left of the caution after each success.
  private static let shortening = 0.95
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
