import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationHTTP

/// Random requests, ends, cancellations and times against what limits promise.
@Suite(.patient) struct ServiceGateWalkTests {
  @Test func `Whatever happens, limits are kept and nobody waits for ever`() {
    var random = Trials.random("a gate's random walks")
    for _ in 1...400 {
      var walk = GateWalk(&random)
      for _ in 1...150 { walk.step(&random) }
      walk.drain()
      #expect(walk.problems == [])
      if !walk.problems.isEmpty { break }
    }
  }
}

/// A gate's machine under random events, and what its limits promise, kept by other means.
private struct GateWalk {
  private(set) var problems: [String] = []

  private let limits: HTTPLimits
  private var machine: ServiceGateMachine
  private var now = Duration.zero
  private var count = 0
  private var waiting: [Int] = []
  private var priorities: [Int: TaskPriority] = [:]
  private var passes = 0
  private var running: [Int] = []
  private var sends: [Duration] = []
  private var wakes: [Duration] = []
  private var leftAloneUntil = Duration.zero
  private var failures = 0
  private var openUntil: Duration?
  private var trial: Int?

  init(_ random: inout SeededGenerator) {
    var limits = HTTPLimits(requestsAtOnce: random.count(1...5))
    if random.chance(60) {
      limits.rate = .init(
        requests: random.count(1...5), per: .seconds(random.count(1...10)),
        burst: random.chance(50) ? random.count(1...8) : nil
      )
    }
    if random.chance(60) {
      limits.breaker = .init(failures: random.count(1...3), pause: .seconds(random.count(1...10)))
    }
    limits.longestBackoff = .seconds(random.count(0...10))
    self.limits = limits
    machine = ServiceGateMachine(limits)
  }

  mutating func step(_ random: inout SeededGenerator) {
    switch random.count(0...9) {
    case 0...3:
      count += 1
      waiting.append(count)
      let priority = random.pick([TaskPriority.background, .utility, .high])
      priorities[count] = priority
      handle(.ask(count, priority: priority))
    case 4 where !waiting.isEmpty:
      let request = random.pick(waiting)
      waiting.removeAll { $0 == request }
      handle(.leave(request))
    case 5...7 where !running.isEmpty:
      let backoff = random.chance(15) ? Duration.seconds(random.count(-1...20)) : nil
      end(random.pick(running), random.pick(ServiceGateMachine.Outcome.allCases), backoff)
    default:
      pass(.milliseconds(random.count(0...4000)))
    }
  }

  /// Ends all requests and lets time pass, after which nobody may wait.
  mutating func drain() {
    for _ in 1...2000 where !(waiting.isEmpty && running.isEmpty) {
      if let request = running.first { end(request, .success, nil) }
      pass(.seconds(1))
    }
    if !waiting.isEmpty { problems.append("\(waiting) wait for ever: \(limits)") }
  }

  private mutating func pass(_ time: Duration) {
    let end = now + time
    while let wake = wakes.min(), wake <= end {
      now = max(now, wake)
      wakes.remove(at: wakes.firstIndex(of: wake) ?? 0)
      handle(.wake)
    }
    now = end
  }

  private mutating func end(
    _ request: Int, _ outcome: ServiceGateMachine.Outcome, _ backoff: Duration?
  ) {
    running.removeAll { $0 == request }
    if let backoff {
      leftAloneUntil = max(leftAloneUntil, now + min(max(backoff, .zero), limits.longestBackoff))
    }
    if let breaker = limits.breaker {
      let isTrial = trial == request
      if isTrial { trial = nil }
      switch outcome {
      case .success: (failures, openUntil, trial) = (0, nil, nil)
      case .failure where openUntil == nil:
        failures += 1
        if failures >= breaker.failures { openUntil = now + breaker.pause }
      case .failure: if isTrial { openUntil = now + breaker.pause }
      case .unknown: break
      }
    }
    handle(.end(request, outcome, backoff: backoff))
  }

  private mutating func handle(_ event: ServiceGateMachine.Event) {
    for effect in machine.handle(event, at: now) {
      switch effect {
      case .send(let request): sent(request)
      case .refuse(let request, let refusal, let wait): refused(request, refusal, wait)
      case .wake(let after):
        if after <= .zero { problems.append("it wakes after \(after)") }
        wakes.append(now + after)
      }
    }
    if !wakes.isEmpty, wakes.count > 1 { problems.append("it wakes \(wakes.count) times") }
  }

  private mutating func sent(_ request: Int) {
    let highest = waiting.compactMap { priorities[$0] }.max()
    let first = waiting.first { priorities[$0] == highest }
    let wanted = passes < ServiceGateMachine.mostPasses ? first : waiting.first
    if wanted != request { problems.append("\(request) is sent before \(waiting)") }
    passes = waiting.first == request ? 0 : passes + 1
    waiting.removeAll { $0 == request }
    running.append(request)
    if running.count > limits.requestsAtOnce { problems.append("\(running.count) at once") }
    if leftAloneUntil > now { problems.append("\(request) is sent too early") }
    if let openUntil {
      if openUntil > now { problems.append("\(request) is sent while the breaker is open") }
      if let trial { problems.append("\(request) is sent beside the trial \(trial)") }
      trial = request
    }
    checkRate()
  }

  private mutating func refused(
    _ request: Int, _ refusal: ServiceGateMachine.Refusal, _ wait: Duration
  ) {
    if !waiting.contains(request) { problems.append("\(request) is refused and does not wait") }
    waiting.removeAll { $0 == request }
    let until =
      switch refusal {
      case .backoff: leftAloneUntil
      case .breaker: openUntil ?? .zero
      }
    if now + wait != until || wait <= .zero {
      problems.append("\(request) is refused for \(wait) and not until \(until)")
    }
  }

  /// Never more in any span than the bucket holds and what came into it in that time.
  private mutating func checkRate() {
    sends.append(now)
    guard let rate = limits.rate else { return }
    for (index, start) in sends.enumerated() {
      let most =
        Double(max(1, rate.burst)) + (now - start) / rate.span * Double(rate.requests) + 0.001
      let count = sends.count - index
      if Double(count) > most { problems.append("\(count) are sent within \(now - start)") }
    }
  }
}
