import Evocation

/// Decides which request to a service is sent when: a value that knows no clock and no task.
struct ServiceGateMachine {
  enum Event {
    /// A request wants to be sent; one of a higher priority is sent before those that wait.
    case ask(Int, priority: TaskPriority = .medium, background: BackgroundWork? = nil)
    /// A waiting request is no longer needed.
    case leave(Int)
    /// A request that was sent has ended, and the service may ask for a wait.
    case end(Int, Outcome, backoff: Duration?)
    /// The time that `wake` asked for has come.
    case wake
  }

  enum Outcome: Hashable, CaseIterable {
    case success
    /// A failure that may pass.
    case failure
    /// The request was canceled before an answer, or was not sent: nothing is known about the service.
    case unknown
  }

  enum Effect: Equatable {
    case send(Int)
    case refuse(Int, Refusal, wait: Duration)
    case wake(after: Duration)
  }

  enum Refusal: Hashable {
    case backoff
    case breaker
  }

  private enum Circuit {
    case closed(failures: Int)
    case open(until: Duration)
    /// One request is running to try the service.
    case trying(Int)
  }

  private struct Waiting {
    let request: Int
    let own: TaskPriority
    let background: BackgroundWork?

    /// The priority that it has now: at most `utility` while nobody waits for it.
    var priority: TaskPriority { background?.isBehind == true ? min(.utility, own) : own }
  }

  /// How many requests in a row are sent before the one that has waited longest.
  static let mostPasses = 8

  private let limits: HTTPLimits
  private var waiting: [Waiting] = []
  /// How many requests in a row were.
  private var passes = 0
  private var running = 0
  private var tokens: Double
  private var refilled = Duration.zero
  private var backoffEnd = Duration.zero
  private var circuit = Circuit.closed(failures: 0)
  private var isWaking = false

  init(_ limits: HTTPLimits) {
    self.limits = limits
    tokens = Double(max(1, limits.rate?.burst ?? 1))
  }

  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    switch event {
    case .ask(let request, let priority, let background):
      if let refusal = refusal(of: request, at: now) { return [refusal] }
      waiting.append(Waiting(request: request, own: priority, background: background))
    case .leave(let request):
      waiting.removeAll { $0.request == request }
    case .end(let request, let outcome, let backoff):
      running = max(0, running - 1)
      take(outcome, of: request, at: now)
      if let backoff {
        let wait = min(max(backoff, .zero), max(limits.longestBackoff, .zero))
        backoffEnd = max(backoffEnd, now.adding(wait))
      }
    case .wake:
      isWaking = false
    }
    return effects(at: now)
  }

  /// The state of the requests and of the circuit.
  func inspected(at now: Duration) -> GateState {
    var (state, failed, end) = (GateState.Circuit.closed, 0, backoffEnd)
    switch circuit {
    case .closed(let failures): failed = failures
    case .open(let until): (state, end) = (.open, max(end, until))
    case .trying: state = .trying
    }
    return GateState(
      running: running, waiting: waiting.count, circuit: state, failures: failed,
      secondsToWait: max(0, end.subtracting(now).seconds))
  }

  /// Counts an outcome for the circuit breaker.
  ///
  /// Any success closes the circuit. While one request tries the service, failures of other requests
  /// change nothing, because these were sent earlier.
  private mutating func take(_ outcome: Outcome, of request: Int, at now: Duration) {
    guard let breaker = limits.breaker else { return }
    switch (outcome, circuit) {
    case (.success, _): circuit = .closed(failures: 0)
    case (.failure, .closed(let failures)) where failures + 1 < breaker.failures:
      circuit = .closed(failures: failures + 1)
    case (.failure, .closed): circuit = .open(until: now.adding(breaker.pause))
    case (.failure, .trying(request)): circuit = .open(until: now.adding(breaker.pause))
    case (.unknown, .trying(request)): circuit = .open(until: now)
    case (.failure, .trying), (.failure, .open), (.unknown, _): break
    }
  }

  private mutating func effects(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    // Waiting requests are refused too: otherwise all of them would be sent when the pause ends.
    if refusal(of: 0, at: now) != nil {
      effects = waiting.compactMap { refusal(of: $0.request, at: now) }
      waiting = []
    }
    refill(at: now)
    while let place = next, running < max(1, limits.requestsAtOnce) {
      if limits.rate != nil, tokens < 1 {
        if !isWaking { effects.append(.wake(after: untilNextToken)) }
        isWaking = true
        break
      }
      if case .trying = circuit { break }
      passes = place == waiting.startIndex ? 0 : passes + 1
      let next = waiting.remove(at: place).request
      running += 1
      if limits.rate != nil { tokens -= 1 }
      if case .open = circuit { circuit = .trying(next) }
      effects.append(.send(next))
    }
    return effects
  }

  /// The place of the request to send next: the first of the highest priority, or the one that has waited
  /// longest, if too many were sent before it.
  private var next: Int? {
    passes < Self.mostPasses
      ? waiting.indices.max { waiting[$0].priority < waiting[$1].priority } : waiting.indices.first
  }

  private func refusal(of request: Int, at now: Duration) -> Effect? {
    if backoffEnd > now {
      return .refuse(request, .backoff, wait: backoffEnd.subtracting(now))
    }
    if case .open(let until) = circuit, until > now {
      return .refuse(request, .breaker, wait: until.subtracting(now))
    }
    return nil
  }

  private mutating func refill(at now: Duration) {
    guard let rate = limits.rate else { return }
    let share = max(0, now.subtracting(refilled).seconds) / spanSeconds(rate)
    refilled = now
    tokens = min(Double(max(1, rate.burst)), tokens + share * Double(max(1, rate.requests)))
  }

  private var untilNextToken: Duration {
    guard let rate = limits.rate else { return .zero }
    let seconds = (1 - tokens) * spanSeconds(rate) / Double(max(1, rate.requests))
    // Slightly longer, so that rounding does not cause a useless wake-up.
    return Duration(nearest: seconds + 0.000_001) ?? .zero
  }

  private func spanSeconds(_ rate: HTTPLimits.Rate) -> Double {
    max(rate.span.seconds, 0.000_001)
  }
}
