/// The pace of requests to a server: how many may begin now, or from when on.
///
/// After a failure the server gets a pause, which is longer after each further failure, and at
/// least as long as it asks for. Then one request is sent as a probe. If that succeeds, more and
/// more may run at the same time.
///
/// After a long outage, all devices of a fleet miss the server, and no device knows of the others.
/// So each device draws a time of its own in the longest pause, and keeps to it with every longest
/// pause that follows. When its probe succeeds, it sends with caution: one request at a time, at
/// intervals of a four-hundredth of the pause. If one is refused, the pause begins again.
/// The article "A fleet of devices" has the details.
///
/// One pace is for one server and all requests to it. It knows no task, clock or lock. Times are
/// durations since a fixed start, and each `chance` is a number from 0 up to 1, drawn for that
/// call.
package struct ServicePace: Sendable {
  /// How many requests may begin beside those under way.
  package enum Room: Sendable, Hashable {
    /// This many, at least one.
    case now(Int)
    /// None before this time.
    case from(Duration)
    /// None before a request under way has ended.
    case whenOneEnds
  }

  /// A request that has begun, and has to be ended once.
  struct Request: Sendable {
    /// A failure ends a round, and the remaining requests of the round show nothing new.
    fileprivate let round: Int
  }

  private enum Phase: Sendable {
    /// This many requests may run at the same time.
    case open(Int)
    /// None until a time, then a probe.
    case closed(until: Duration, Pause)
  }

  private struct Pause: Sendable {
    /// Its longest possible length; zero if nothing has failed.
    let length: Duration
    /// The caution if the probe succeeds.
    let caution: Duration
  }

  private let backoff: Backoff
  private let concurrency: Int
  private var phase = Phase.open(1)
  /// The pause after a refusal, before jitter.
  ///
  /// Each success makes it shorter, and zero if it is short.
  private var caution = Duration.zero
  /// Whether the server has ever accepted a request.
  private var hasSucceeded = false
  private var round = 0
  private var running = (all: 0, ofRound: 0)
  /// The beginning of the last request, and the chance that shifts the next one.
  private var last: (began: Duration, chance: Double)?
  /// The time until which the server has asked for no requests.
  private var refusedUntil = Duration.zero
  private var cameBack: Duration?

  /// Creates the pace of a server without requests so far.
  ///
  /// `concurrency` is the largest number of requests at the same time.
  init(_ retry: Strategy.Retry, concurrency: Int = 4) {
    backoff = retry.backoff
    self.concurrency = max(1, concurrency)
  }

  /// Returns how many requests may begin now, beside those under way.
  package func room(at now: Duration) -> Room {
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

  /// Whether the server accepted the last request.
  package var isWell: Bool {
    if case .open = phase { true } else { false }
  }

  /// Whether the next request shows if the server works: after a failure, and before a success.
  var isProbing: Bool { !isWell || !hasSucceeded }

  /// Whether the last requests failed, and not only one of them.
  var failsOften: Bool {
    if case .closed(_, let pause) = phase { pause.length > backoff.first } else { false }
  }

  /// Begins a request, which has to be passed to one of `succeed`, `fail` and `end`.
  mutating func begin(at now: Duration, chance: Double) -> Request {
    forget(at: now)
    last = (now, chance)
    running = (running.all.addingClamped(1), running.ofRound.addingClamped(1))
    return Request(round: round)
  }

  /// Ends a request that was executed, or refused for good.
  ///
  /// In both cases the server works.
  mutating func succeed(_ request: Request, at now: Duration) {
    guard leave(request) else { return }
    hasSucceeded = true
    switch phase {
    case .open(let most):
      phase = .open(min(most.addingClamped(1), concurrency))
      caution = caution.multiplied(by: Self.shortening)
    case .closed(_, let pause):
      phase = .open(min(2, concurrency))
      caution = pause.caution
    }
    if caution < backoff.first.multiplied(by: Self.shortPause) { caution = .zero }
  }

  /// Ends a request that failed in a way that may pass, so that the server gets a pause.
  ///
  /// If another request failed after this one had begun, this is the same failure.
  ///
  /// - Returns: Whether the entry may be the cause: the server worked until then, and did not ask
  ///   for a pause. Such an entry also waits on its own, longer after each failure.
  mutating func fail(
    _ request: Request, retryAfter: Duration?, at now: Duration, chance: Double
  ) -> Bool {
    let asked = min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)
    refusedUntil = max(refusedUntil, now.adding(asked))
    guard leave(request) else { return false }
    switch phase {
    case .open:
      close(max(backoff.first, caution), after: caution, asked: asked, at: now, chance: chance)
      return retryAfter == nil
    case .closed(_, let pause):
      let next = max(backoff.first, pause.length.multiplied(by: backoff.multiplier))
      close(next, after: pause.length, asked: asked, at: now, chance: chance)
      return false
    }
  }

  /// Ends a request whose end shows nothing about the server, such as a cancellation.
  mutating func end(_ request: Request) { _ = leave(request) }

  /// Records that the network has returned, or that a user has returned to the app.
  ///
  /// A probe is sent soon, but not before the time that the server asked for. It is not sent
  /// immediately, because many devices may return together. If the server does not accept it, the
  /// next ones are spread over the longest pause.
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

  /// Records that a user asks: a probe may be sent now, but not before the server asked for.
  ///
  /// If it succeeds, there is no caution, because users do not ask in the same second.
  mutating func wanted(at now: Duration) {
    caution = .zero
    switch phase {
    case .open: break
    case .closed(let until, let pause):
      phase = .closed(until: min(until, now), Pause(length: pause.length, caution: .zero))
    }
  }

  /// Pauses a server that has asked an earlier process for no requests.
  mutating func leaveAlone(until moment: Duration) { refusedUntil = max(refusedUntil, moment) }

  /// The time from which the phase lets a request begin.
  private var opening: Duration {
    switch phase {
    case .open:
      guard let last, caution > .zero else { return .zero }
      let jitter = 1 + backoff.jitter * (2 * last.chance - 1)
      return last.began.adding(caution.multiplied(by: Self.interval * jitter))
    case .closed(let until, _): return until
    }
  }

  /// Ends the caution if nothing was sent for as long as it.
  private mutating func forget(at now: Duration) {
    if let last, now.subtracting(last.began) > caution { caution = .zero }
  }

  /// Pauses the server after an earlier pause, for at least the time that it asked for.
  private mutating func close(
    _ pause: Duration, after earlier: Duration, asked: Duration, at now: Duration, chance: Double
  ) {
    let longest = backoff.longest
    let isFleet = (earlier > .zero || asked > .zero) && isAmongMany(at: now)
    let length = isFleet ? longest : min(max(pause, .zero), longest)
    let jitter = length.multiplied(by: backoff.jitter)
    // The first longest pause ends at any time in it, and the following ones keep to that time.
    let most = max(length.subtracting(backoff.first), .zero)
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

  /// Whether all devices that returned together may be sending now.
  private func isAmongMany(at now: Duration) -> Bool {
    cameBack.map { now.subtracting($0) < Self.comingBack.multiplied(by: 5) } ?? false
  }

  private mutating func nextRound() {
    round &+= 1
    running.ofRound = 0
  }

  /// Ends a request, and returns whether it belongs to this round.
  private mutating func leave(_ request: Request) -> Bool {
    running.all = max(0, running.all - 1)
    guard request.round == round else { return false }
    running.ofRound = max(0, running.ofRound - 1)
    return true
  }
}

extension ServicePace {
  /// The longest `Retry-After` that is respected.
  ///
  /// A server that asks for more gets a request a day. Otherwise a mistaken or hostile value could
  /// silence an app forever.
  static let longestRetryAfter = Duration.seconds(86_400)

  /// The time over which devices that return together spread their first probes.
  ///
  /// It is too short for users to notice, and long enough that the probes of one second do not
  /// meet.
  static let comingBack = Duration.seconds(2)
  /// Pauses of fewer first pauses than this are not an outage, and no caution follows them.
  private static let shortPause = 100.0
  /// The time between two requests, as a part of the caution.
  ///
  /// It is 3 seconds for a pause of 20 minutes, and 0.75 seconds for one of 5 minutes.
  private static let interval = 1 / 400.0
  /// The part of the caution that is left after each success.
  private static let shortening = 0.95
}
