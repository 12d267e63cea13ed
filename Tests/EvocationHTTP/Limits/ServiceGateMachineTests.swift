import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import EvocationHTTP

/// What is sent when, over the full product of what a gate's state can be and what can happen.
@Suite struct ServiceGateMachineTests {
  @Test(arguments: GateState.all)
  func `A request that comes is sent, waits or is refused`(state: GateState) throws {
    guard var gate = PlayedGate(state) else { return }
    let effects = gate.handle(.ask(99))
    #expect(effects == state.effects(on: 99), "\(state)")
  }

  @Test(arguments: GateState.all)
  func `A request that waits and is given up is not sent any more`(state: GateState) throws {
    guard var gate = PlayedGate(state), state.effects(on: 99).allSatisfy(\.isWake) else { return }
    _ = gate.handle(.ask(99))
    #expect(gate.handle(.leave(99)) == [])
    for request in gate.running {
      #expect(!gate.handle(.end(request, .success, backoff: nil)).contains(.send(99)))
    }
  }

  @Test(arguments: GateState.all)
  func `The end of a request decides what becomes of one that waits`(state: GateState) throws {
    for outcome in ServiceGateMachine.Outcome.allCases {
      for backoff in [nil, Duration.seconds(5)] {
        for isTrial in [false, true] {
          try end(state, outcome, backoff, isTrial)
        }
      }
    }
  }

  private func end(
    _ state: GateState, _ outcome: ServiceGateMachine.Outcome, _ backoff: Duration?, _ isTrial: Bool
  ) throws {
    guard var gate = PlayedGate(state), state.effects(on: 99).allSatisfy(\.isWake),
      let request = isTrial ? gate.trial : gate.running.first(where: { $0 != gate.trial })
    else { return }
    let isWaking = !gate.handle(.ask(99)).isEmpty
    var after = state
    after.isFull = false
    after.isLeftAlone = backoff != nil
    switch (outcome, state.circuit) {
    case (.success, _): after.circuit = .closed
    case (.failure, .closed): after.circuit = .failing
    case (.failure, .failing): after.circuit = .open
    case (.failure, .trying) where isTrial: after.circuit = .open
    case (.unknown, .trying) where isTrial: after.circuit = .elapsed
    case (.failure, _), (.unknown, _): break
    }
    var wanted = after.effects(on: 99)
    if after.isLeftAlone { wanted = [.refuse(99, .backoff, wait: .seconds(5))] }
    if isWaking, wanted.allSatisfy(\.isWake) { wanted = [] }
    let effects = gate.handle(.end(request, outcome, backoff: backoff))
    #expect(effects == wanted, "\(state), \(outcome), \(String(describing: backoff)), \(isTrial)")
  }

  @Test func `A higher priority passes those that wait, and equals are sent in their order`() {
    var machine = ServiceGateMachine(HTTPLimits(requestsAtOnce: 1))
    _ = machine.handle(.ask(0), at: .zero)
    let priorities: [TaskPriority] = [
      .utility, .medium, .high, .utility, .high, .background, .medium,
    ]
    for (index, priority) in priorities.enumerated() {
      #expect(machine.handle(.ask(index + 1, priority: priority), at: .zero) == [])
    }
    var sent = [0]
    while let last = sent.last, sent.count <= priorities.count {
      for case .send(let next) in machine.handle(.end(last, .success, backoff: nil), at: .zero) {
        sent.append(next)
      }
      if sent.last == last { break }
    }
    #expect(sent == [0, 3, 5, 2, 7, 1, 4, 6])
  }

  @Test func `One that has let eight others pass is sent, whatever its priority`() {
    var machine = ServiceGateMachine(HTTPLimits(requestsAtOnce: 1))
    _ = machine.handle(.ask(0), at: .zero)
    for request in 1...2 { _ = machine.handle(.ask(request, priority: .background), at: .zero) }
    var (last, sent): (Int, [Int]) = (0, [])
    for request in 3...40 {
      _ = machine.handle(.ask(request, priority: .high), at: .zero)
      for case .send(let next) in machine.handle(.end(last, .success, backoff: nil), at: .zero) {
        last = next
        sent.append(next)
      }
    }
    #expect(sent.firstIndex(of: 1) == ServiceGateMachine.mostPasses)
    #expect(sent.firstIndex(of: 2) == 2 * ServiceGateMachine.mostPasses + 1)
  }

  @Test func `Limits that let nothing through let one request through`() {
    for number in [Int.min, -1, 0] {
      let limits = HTTPLimits(
        requestsAtOnce: number,
        rate: .init(requests: number, per: .zero - .seconds(1), burst: number),
        breaker: .init(failures: number, pause: .seconds(-1)), longestBackoff: .seconds(-1)
      )
      var machine = ServiceGateMachine(limits)
      #expect(machine.handle(.ask(1), at: .zero) == [.send(1)])
      #expect(machine.handle(.ask(2), at: .zero) == [])
      _ = machine.handle(.end(1, .failure, backoff: .longest), at: .zero)
      let effects = machine.handle(.wake, at: .seconds(10))
      #expect(effects == [.send(2)])
    }
  }

  @Test func `Limits of any size are borne`() {
    let limits = HTTPLimits(
      requestsAtOnce: .max, rate: .init(requests: .max, per: .longest, burst: .max),
      breaker: .init(failures: .max, pause: .longest), longestBackoff: .longest
    )
    var machine = ServiceGateMachine(limits)
    for request in 1...100 { _ = machine.handle(.ask(request), at: .longest) }
    for request in 1...100 {
      _ = machine.handle(.end(request, .failure, backoff: .longest), at: .longest)
    }
    #expect(machine.handle(.ask(101), at: .longest).count == 1)
  }
}

extension ServiceGateMachine.Effect {
  var isWake: Bool {
    if case .wake = self { true } else { false }
  }
}

/// What a gate's state can be, as far as it matters.
struct GateState: CustomStringConvertible {
  enum Circuit: CaseIterable { case closed, failing, open, elapsed, trying }

  var circuit: Circuit
  var isFull: Bool
  var hasTokens: Bool
  var isLeftAlone: Bool

  static let all: [GateState] = Circuit.allCases.flatMap { circuit in
    [false, true].flatMap { isFull in
      [false, true].flatMap { hasTokens in
        [false, true].map { isLeftAlone in
          GateState(
            circuit: circuit, isFull: isFull, hasTokens: hasTokens, isLeftAlone: isLeftAlone)
        }
      }
    }
  }

  /// What becomes of a request that comes, or is the first of those that wait.
  func effects(on request: Int) -> [ServiceGateMachine.Effect] {
    if isLeftAlone { return [.refuse(request, .backoff, wait: PlayedGate.backoff)] }
    if circuit == .open { return [.refuse(request, .breaker, wait: PlayedGate.pause)] }
    if isFull { return [] }
    if !hasTokens { return [.wake(after: PlayedGate.someTime)] }
    return circuit == .trying ? [] : [.send(request)]
  }

  var description: String {
    "\(circuit)\(isFull ? ", full" : "")\(hasTokens ? "" : ", no tokens")"
      + (isLeftAlone ? ", left alone" : "")
  }
}

/// A gate that was brought into a state by events alone.
struct PlayedGate {
  static let pause = Duration.seconds(10)
  static let backoff = Duration.seconds(20)
  /// Stands for any time until there is a token, which the random walks measure.
  static let someTime = Duration.zero
  private static let most = 3

  private var machine: ServiceGateMachine
  private var now = Duration.zero
  private var sent = 0
  private(set) var running: [Int] = []
  private(set) var trial: Int?

  /// Nil for a state that cannot be: a request is always let go when a circuit opens.
  init?(_ state: GateState) {
    guard let played = PlayedGate(state, burst: 100) else { return nil }
    guard !state.hasTokens else {
      self = played
      return
    }
    guard let empty = PlayedGate(state, burst: max(1, played.sent)), played.sent > 0 else {
      return nil
    }
    self = empty
  }

  /// With one token in a hundred seconds.
  private init?(_ state: GateState, burst: Int) {
    machine = ServiceGateMachine(
      HTTPLimits(
        requestsAtOnce: Self.most, rate: .init(requests: 1, per: .seconds(100), burst: burst),
        breaker: .init(failures: 2, pause: Self.pause)
      )
    )
    let wait = state.isLeftAlone ? Self.backoff : nil
    switch state.circuit {
    case .closed:
      ask(state.isFull ? Self.most + 1 : 2)
      end(.success, wait)
    case .failing:
      ask(state.isFull ? Self.most + 1 : 2)
      end(.failure, wait)
    case .open:
      guard !state.isFull else { return nil }
      ask(3)
      end(.failure, nil)
      end(.failure, wait)
    case .elapsed:
      guard !state.isFull else { return nil }
      ask(3)
      end(.failure, nil)
      end(.failure, state.isLeftAlone ? Self.backoff + Self.pause : nil)
      now = Self.pause
    case .trying:
      guard !state.isLeftAlone || !state.isFull else { return nil }
      ask(state.isFull ? 4 : 3)
      end(.failure, nil)
      end(.failure, nil)
      now = Self.pause
      ask(1)
      trial = running.last
      if state.isLeftAlone { end(.unknown, wait) }
    }
    guard state.isFull == (running.count == Self.most) else { return nil }
  }

  mutating func handle(_ event: ServiceGateMachine.Event) -> [ServiceGateMachine.Effect] {
    let effects = machine.handle(event, at: now)
    for case .send(let request) in effects {
      sent += 1
      running.append(request)
    }
    return effects.map { $0.isWake ? .wake(after: Self.someTime) : $0 }
  }

  private mutating func ask(_ count: Int) {
    for number in 1...count { _ = handle(.ask(sent * 100 + number)) }
  }

  private mutating func end(_ outcome: ServiceGateMachine.Outcome, _ backoff: Duration?) {
    guard !running.isEmpty else { return }
    _ = handle(.end(running.removeFirst(), outcome, backoff: backoff))
  }
}
