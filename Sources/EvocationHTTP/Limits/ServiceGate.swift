import Evocation
import Foundation

/// Admits requests to one service as its limits allow.
final class ServiceGate: Sendable {
  typealias Outcome = ServiceGateMachine.Outcome

  private enum Admission {
    case admitted
    case refused(ServiceGateMachine.Refusal, wait: Duration)
    case cancelled
  }

  private struct State {
    var machine: ServiceGateMachine
    var requests = 0
    var asking: [Int: Promise<Admission>] = [:]
  }

  private let state: Lock<State>
  private let time: TimeSource
  private let alarm: Alarm

  init(_ limits: HTTPLimits, _ clock: any Clock<Duration>) {
    state = Lock(State(machine: ServiceGateMachine(limits)))
    time = TimeSource(clock)
    alarm = Alarm(time)
  }

  /// How many requests wait for their turn.
  var waiting: Int { state.withLock { $0.asking.count } }

  /// What the gate admits now.
  var inspected: GateState {
    let now = time.now()
    return state.withLock { $0.machine.inspected(at: now) }
  }

  /// Waits until a request may be sent, with the priority of this task.
  ///
  /// - Returns: The number of the request, to be passed to ``leave(_:_:backoff:)``.
  /// - Throws: `CancellationError`, or an ``HTTPError`` while nothing is sent to the service.
  func enter() async throws -> Int {
    let promise = Promise<Admission>()
    let request = state.withLock { state in
      state.requests &+= 1
      state.asking[state.requests] = promise
      return state.requests
    }
    handle(.ask(request, priority: Task.currentPriority, background: .current))
    let admission = await withCancellationHandler {
      await promise.value
    } onCancel: {
      self.giveUp(request)
    }
    switch admission {
    case .admitted: return request
    case .refused(let refusal, let wait): throw HTTPError(refusal, wait: wait)
    case .cancelled: throw CancellationError()
    }
  }

  /// Reports that an admitted request has ended.
  func leave(_ request: Int, _ outcome: Outcome, backoff: Duration? = nil) {
    handle(.end(request, outcome, backoff: backoff))
  }

  /// Stops waiting; a request that was admitted at this moment continues, and ends like any other.
  private func giveUp(_ request: Int) {
    handle(.leave(request))
  }

  private func handle(_ event: ServiceGateMachine.Event) {
    let now = time.now()
    let (answers, pause) = state.withLock {
      state -> ([(Promise<Admission>, Admission)], Duration?) in
      var answers: [(Promise<Admission>, Admission)] = []
      if case .leave(let request) = event {
        guard let promise = state.asking.removeValue(forKey: request) else { return ([], nil) }
        answers.append((promise, .cancelled))
      }
      var pause: Duration?
      for effect in state.machine.handle(event, at: now) {
        switch effect {
        case .send(let request):
          state.asking.removeValue(forKey: request).map { answers.append(($0, .admitted)) }
        case .refuse(let request, let refusal, let wait):
          let refused = Admission.refused(refusal, wait: wait)
          state.asking.removeValue(forKey: request).map { answers.append(($0, refused)) }
        case .wake(let after):
          pause = after
        }
      }
      return (answers, pause)
    }
    for (promise, admission) in answers { promise.fulfil(admission) }
    guard let pause else { return }
    alarm.ring(by: now.adding(pause)) { [weak self] in self?.handle(.wake) }
  }
}

/// The gates of a service, one for each host.
final class ServiceGates: Sendable {
  /// A service may redirect to any number of hosts; requests beyond these share no gate.
  private static let most = 64

  private let gates = Lock<[String: ServiceGate]>([:])

  /// Returns the gate of a service, which is named by its scheme, host and port.
  func gate(
    of service: String, _ limits: HTTPLimits, clock: any Clock<Duration>
  ) -> ServiceGate {
    gates.withLock { gates in
      let gate = gates[service] ?? ServiceGate(limits, clock)
      if gates.count < Self.most { gates[service] = gate }
      return gate
    }
  }
}

extension HTTPError {
  /// Creates the error of a request that its service's limits reject.
  init(_ refusal: ServiceGateMachine.Refusal, wait: Duration) {
    switch refusal {
    case .backoff: self.init(.postponed, retryAfter: wait)
    case .breaker: self.init(.suspended, retryAfter: wait)
    }
  }
}
