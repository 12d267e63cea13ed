import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

@Suite(.patient) struct ServiceGateTests {
  private let clock = ManualClock()

  private func gate(_ limits: HTTPLimits) -> ServiceGate { ServiceGate(limits, clock) }

  /// A task that waits at the gate, once it does.
  private func waiting(at gate: ServiceGate, _ count: Int) async throws -> Task<Int, any Error> {
    let task = Task { try await gate.enter() }
    try await eventually("who waits at the gate") { gate.waiting >= count }
    return task
  }

  @Test func `However many hosts a service redirects to, few gates are kept`() {
    let gates = ServiceGates()
    let first = gates.gate(of: "https://a:443", HTTPLimits(), clock: clock)
    weak var other: ServiceGate?
    for number in 0..<1000 {
      other = gates.gate(of: "https://\(number):443", HTTPLimits(), clock: clock)
    }
    #expect(other == nil)
    #expect(gates.gate(of: "https://a:443", HTTPLimits(), clock: clock) === first)
  }

  @Test func `Who comes first is let through first`() async throws {
    let gate = gate(HTTPLimits(requestsAtOnce: 1))
    var turn = try await gate.enter()
    var tasks: [Task<Int, any Error>] = []
    for count in 1...10 { tasks.append(try await waiting(at: gate, count)) }
    for (index, task) in tasks.enumerated() {
      gate.leave(turn, .success)
      turn = try await task.value
      #expect(gate.waiting == 9 - index)
    }
  }

  @Test func `Who does background work lets others pass, whatever the priority of the task`()
    async throws
  {
    let gate = gate(HTTPLimits(requestsAtOnce: 1))
    let turn = try await gate.enter()
    let background = Task(priority: .high) {
      try await BackgroundWork.$current.withValue(BackgroundWork()) { try await gate.enter() }
    }
    try await eventually("the first") { gate.waiting == 1 }
    let other = Task(priority: .medium) { try await gate.enter() }
    try await eventually("the second") { gate.waiting == 2 }
    gate.leave(turn, .success)
    let second = try await other.value
    #expect(gate.waiting == 1)
    gate.leave(second, .success)
    gate.leave(try await background.value, .success)
  }

  @Test func `Who waits for room and is cancelled is gone, and holds up nobody`() async throws {
    let gate = gate(HTTPLimits(requestsAtOnce: 1))
    let turn = try await gate.enter()
    let first = try await waiting(at: gate, 1)
    let second = try await waiting(at: gate, 2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(gate.waiting == 1)
    gate.leave(turn, .success)
    _ = try await second.value
  }

  @Test func `Who waits for the next token and is cancelled leaves it to others`() async throws {
    let gate = gate(HTTPLimits(rate: .init(requests: 1, per: .seconds(10))))
    _ = try await gate.enter()
    let first = try await waiting(at: gate, 1)
    let second = try await waiting(at: gate, 2)
    await clock.sleeps(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    clock.advance(by: .seconds(11))
    _ = try await second.value
    #expect(gate.waiting == 0)
  }

  @Test func `A trial that is cancelled leaves the next one to try`() async throws {
    let gate = gate(HTTPLimits(breaker: .init(failures: 1, pause: .seconds(10))))
    gate.leave(try await gate.enter(), .failure)
    let error = await failure { try await gate.enter() } as? HTTPError
    #expect(error?.code == .suspended)
    #expect(error?.retryAfter == .seconds(10))
    clock.advance(by: .seconds(10))
    let trial = try await gate.enter()
    let next = try await waiting(at: gate, 1)
    let after = try await waiting(at: gate, 2)
    gate.leave(trial, .unknown)
    let second = try await next.value
    #expect(gate.waiting == 1)
    gate.leave(second, .success)
    _ = try await after.value
  }

  @Test func `Those that wait for a trial are refused when it fails`() async throws {
    let gate = gate(HTTPLimits(breaker: .init(failures: 1, pause: .seconds(10))))
    gate.leave(try await gate.enter(), .failure)
    clock.advance(by: .seconds(10))
    let trial = try await gate.enter()
    let next = try await waiting(at: gate, 1)
    gate.leave(trial, .failure)
    let error = await failure { try await next.value } as? HTTPError
    #expect(error?.code == .suspended)
  }

  @Test func `A late failure of an earlier request does not end the trial`() async throws {
    let gate = gate(HTTPLimits(breaker: .init(failures: 1, pause: .seconds(10))))
    let early = try await gate.enter()
    gate.leave(try await gate.enter(), .failure)
    clock.advance(by: .seconds(10))
    let trial = try await gate.enter()
    let next = try await waiting(at: gate, 1)
    gate.leave(early, .unknown)
    #expect(gate.waiting == 1)
    gate.leave(trial, .success)
    _ = try await next.value
  }

  @Test func `Who is cancelled before it comes is refused, or leaves as any other`() async {
    let gate = gate(HTTPLimits(requestsAtOnce: 1))
    for _ in 1...100 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        gate.leave(try await gate.enter(), .unknown)
      }
      _ = await task.result
    }
    #expect(gate.waiting == 0)
    _ = try? await gate.enter()
  }

  @Test func `Many at once, some of them cancelled, all end`() async {
    let gate = ServiceGate(
      HTTPLimits(requestsAtOnce: 3, rate: .init(requests: 1000, per: .milliseconds(100))),
      ContinuousClock()
    )
    await withTaskGroup(of: Void.self) { group in
      for number in 1...500 {
        let task = Task {
          let turn = try await gate.enter()
          await Task.yield()
          gate.leave(turn, .success)
        }
        if number % 3 == 0 { group.addTask { task.cancel() } }
        group.addTask { _ = await task.result }
      }
    }
    #expect(gate.waiting == 0)
  }

  @Test func `A service has a gate for each host, and shares none with another service`() throws {
    let url = try #require(URL(string: "https://example.com"))
    let service = HTTPService(url)
    #expect(service.gate(at: "a") === service.gate(at: "a"))
    #expect(service.gate(at: "a") !== service.gate(at: "b"))
    #expect(HTTPService(url).gate(at: "a") !== service.gate(at: "a"))
  }
}
