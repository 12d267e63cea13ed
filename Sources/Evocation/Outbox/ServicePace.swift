import Foundation

/// How fast a service is asked: how many requests may begin now, or from when on.
///
/// After a failure the service is left alone, longer with each that follows, and at least as long as
/// it asks for. Then one request goes as a probe. Once that succeeds, more and more may run at once.
/// A service that was away or refused something is not asked as fast as it goes: its requests keep
/// an **interval**, which a refusal multiplies and each success shortens a little, so that many
/// devices together settle on what the service can take, though none of them knows the others.
///
/// One pace stands for one service, whatever is sent to it. It knows no task, clock or lock: moments
/// are times since some start, and each `chance` is a number from 0 up to 1, drawn for that call.
struct ServicePace: Sendable {
  /// How many requests may begin beside those that run.
  enum Room: Sendable, Equatable {
    /// At most so many, at least one.
    case now(Int)
    /// None before this moment.
    case from(Duration)
    /// None before one that runs has ended.
    case whenOneEnds
  }

  /// A request that has begun, and is to be ended once.
  struct Request: Sendable {
    /// In which round it began: a failure ends a round, and what is left of it says nothing new.
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
  private var round = 0
  /// How many requests run, and how many of them began in this round.
  private var running = (all: 0, ofRound: 0)
  /// The mean time between the beginnings of two requests; zero when they need none.
  private var interval = Duration.zero
  /// When the last request began, and how much longer or shorter than the mean to wait after it.
  private var last: (began: Duration, chance: Double)?
  /// Until when the service asked not to be asked.
  private var refusedUntil = Duration.zero
  /// Whether all that came back together may be asking now.
  private var successes = 0
  private var isComingBack = false

  /// Makes the pace of a service that nobody has asked yet.
  init(_ retry: Strategy.Retry, concurrency: Int = 4) {
    self.retry = retry
    self.concurrency = max(1, concurrency)
  }

  /// How many requests may begin now, beside those that run.
  func room(at now: Duration) -> Room {
    let opening = max(opening, refusedUntil)
    guard opening <= now else { return .from(opening) }
    let free =
      switch phase {
      case .open(let most): min(most - running.ofRound, concurrency - running.all)
      case .closed: running.ofRound == 0 ? min(1, concurrency - running.all) : 0
      }
    guard free > 0 else { return .whenOneEnds }
    return .now(interval > .zero ? 1 : free)
  }

  /// A request begins.
  mutating func begin(at now: Duration, chance: Double) -> Request {
    if let last, now.subtracting(last.began) > retry.longestPause.multiplied(by: Self.memory) {
      interval = .zero
    }
    last = (now, chance)
    running = (running.all.addingClamped(1), running.ofRound.addingClamped(1))
    return Request(round: round)
  }

  /// A request ended with what only a service that works says: it did what was asked, or refused it
  /// for good.
  mutating func succeed(_ request: Request) {
    guard leave(request) else { return }
    switch phase {
    case .open(let most):
      phase = .open(min(most + 1, concurrency))
      successes = successes.addingClamped(1)
      interval = shortened(interval)
    case .closed(_, let failures):
      phase = .open(min(2, concurrency))
      let pause = retry.longestPause(after: failures)
      interval = max(interval, pause.multiplied(by: Self.outageShare))
    }
    if interval < retry.delay { interval = .zero }
    isComingBack = false
  }

  /// A request failed in a way that may pass, after which the service is left alone for a while.
  ///
  /// What fails beside a failure, because it began before it, is the same failure.
  ///
  /// - Returns: Whether the entry may be to blame, because the service was well until then.
  @discardableResult
  mutating func fail(
    _ request: Request, retryAfter: Duration?, at now: Duration, chance: Double
  ) -> Bool {
    let asked = min(max(retryAfter ?? .zero, .zero), Self.longestRetryAfter)
    refusedUntil = max(refusedUntil, now.adding(asked))
    guard leave(request) else { return false }
    let failures: Int
    let wasOpen: Bool
    switch phase {
    case .open:
      (failures, wasOpen) = (1, true)
      successes = 0
      interval = interval.multiplied(by: Self.lengthening)
    case .closed(_, let earlier):
      (failures, wasOpen) = (earlier.addingClamped(1), false)
    }
    interval = min(max(interval, asked), retry.longestPause.multiplied(by: Self.firstShortening))
    close(after: failures, asked: asked, at: now, chance: chance)
    return wasOpen && retryAfter == nil
  }

  /// A request ended with what says nothing of the service, such as its cancellation.
  mutating func end(_ request: Request) { _ = leave(request) }

  /// What was missing is there again: the network, or who uses the app.
  ///
  /// A probe goes soon, but not at once, because many devices may come back together.
  mutating func comeBack(at now: Duration, chance: Double) {
    let soon = now.adding(Self.returning.multiplied(by: chance))
    switch phase {
    case .open: phase = .closed(until: soon, failures: 0)
    case .closed(let until, let failures):
      phase = .closed(until: min(until, soon), failures: failures)
    }
    isComingBack = true
    last = nil
    nextRound()
  }

  private var opening: Duration {
    let spaced =
      last.map {
        $0.began.adding(interval.multiplied(by: 1 + retry.jitter * (2 * $0.chance - 1)))
      } ?? .zero
    let hole =
      last.map {
        $0.began.adding(
          interval.multiplied(by: Self.outageShare2 * (1 + retry.jitter * (2 * $0.chance - 1))))
      } ?? .zero
    return switch phase {
    case .open: spaced
    case .closed(let until, let failures): max(until, failures == 0 ? .zero : hole)
    }
  }

  private mutating func close(
    after failures: Int, asked: Duration, at now: Duration, chance: Double
  ) {
    let pause: Duration
    if isComingBack, failures > 1 || asked > .zero {
      pause = max(asked, retry.longestPause.multiplied(by: chance))
      phase = .closed(until: now.adding(pause), failures: max(failures, Self.manyFailures))
    } else {
      let longest = max(retry.longestPause(after: failures), min(asked, retry.longestPause))
      let jitter = longest.multiplied(by: retry.jitter * chance)
      pause = max(asked, longest.multiplied(by: 1 - retry.jitter)).adding(jitter)
      phase = .closed(until: now.adding(pause), failures: failures)
    }
    nextRound()
  }

  private func shortened(_ interval: Duration) -> Duration {
    let share = interval.seconds / max(retry.longestPause.seconds, 0.001)
    return interval.multiplied(
      by: 1 / (1 + Self.shortening * Double(successes) + Self.herdShare * share))
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

  static let outageShare2 = 3.0
  static let firstShortening = 1.0
  static let shortening = 0.08
  static let herdShare = 0.3
  static let lengthening = 4.0
  static let outageShare = 0.35
  static let returning = Duration.seconds(2)
  static let memory = 4.0
  static let manyFailures = 64
  static let longestRetryAfter = Duration.seconds(86_400)
}

extension Strategy.Retry {
  var longestPause: Duration { max(maximumDelay, .zero).bounded }
  func longestPause(after failures: Int) -> Duration {
    guard failures > 0 else { return .zero }
    let growth = pow(max(1, multiplier), Double(failures - 1))
    return min(max(delay, .zero).multiplied(by: growth), longestPause)
  }
}
