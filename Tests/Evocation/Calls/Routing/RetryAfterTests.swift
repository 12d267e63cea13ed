import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

/// A service's failure that says how long to wait.
private struct Busy: ClassifiedError, CustomStringConvertible {
  var failureKind = FailureKind.transient
  var retryAfter: Duration?
  var description: String { "The service is busy" }
}

@Suite(.patient) struct RetryAfterTests {
  private static let waits: [Duration?] = [
    nil, .seconds(Int64.min) * 18, .seconds(-1), .zero, .nanoseconds(1), .seconds(1),
    .milliseconds(4_999), .seconds(5), .seconds(30), .seconds(30) + .nanoseconds(1),
    .seconds(3_600), .seconds(Int64.max), .seconds(Int64.max) * 18,
  ]
  private static let timeouts: [Duration?] = [nil, .seconds(5), .seconds(7_200), .longest]

  private let clock = ManualClock(date: Date(timeIntervalSince1970: 1_795_357_400))
  private let local = RepositoryMock<Car> { _ in [Car(id: 2)] }

  /// A remote repository that fails the first time it is asked, and then answers.
  private func remote(_ error: Busy) -> RepositoryMock<Car> {
    let isFirst = Lock(true)
    return RepositoryMock { _ in
      let fails = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if fails { throw error }
      return [Car(id: 1)]
    }
  }

  private func evocation(_ rule: Strategy.Rule, _ remote: RepositoryMock<Car>) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(Strategy(rule))
    return evocation
  }

  @Test(arguments: Evocation.Call.allCases, waits)
  func `a wait is waited for when it is short, and answered at once when it is long`(
    call: Evocation.Call, wait: Duration?
  ) async {
    for timeout in Self.timeouts {
      for fallback in [nil, Evocation.RepositoryType.local] {
        let clock = ManualClock()
        let remote = remote(Busy(retryAfter: wait))
        let evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
        let rule = Strategy.Rule(
          fallback: fallback, synchronize: false, timeout: timeout,
          retry: .init(attempts: 2, delay: .seconds(1)))
        evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
          .strategy(Strategy(rule))
        if let wait, wait > .seconds(30) || timeout.map({ wait >= $0 }) ?? false {
          let result = await evocation.call(call, Car(id: 1))
          #expect(result.origin == fallback, "\(rule)")
          #expect((result.error as? Busy)?.retryAfter == (fallback == nil ? wait : nil), "\(rule)")
          #expect(remote.calls.count == 1 && clock.now.offset == .zero, "\(rule)")
          #expect("\(result.trace)".contains("busy. The server asks to wait "), "\(rule)")
        } else {
          let answer = Task { await evocation.call(call, Car(id: 1)) }
          await clock.sleeps(timeout == nil || timeout == .longest ? 1 : 2)
          clock.advance(by: max(wait ?? .zero, .seconds(1)))
          let result = await answer.value
          #expect(result.origin == .remote && result.error == nil, "\(rule)")
          #expect(remote.calls.count == 2, "\(rule)")
          #expect(!"\(result.trace)".contains("asks to wait"), "\(rule)")
        }
      }
    }
  }

  @Test func `the trace says until when the service asks to wait, and what that is too long for`()
    async
  {
    let retry = Strategy.Retry(attempts: 2)
    let expected: [(Duration, Duration?, String)] = [
      (.seconds(3_600), nil, "until 15:23:20 UTC, longer than the rule's maximumDelay of 30 s."),
      (
        .seconds(20), .seconds(5),
        "until 14:23:40 UTC, longer than the rule's timeout of 5 s leaves."
      ),
      (
        .seconds(86_400), nil,
        "until 2026-11-23 14:23:20 UTC, longer than the rule's maximumDelay of 30 s."
      ),
      (
        .seconds(Int64.max), nil,
        "for 9.223372036854776e+18 s, longer than the rule's maximumDelay of 30 s."
      ),
    ]
    for (wait, timeout, end) in expected {
      let rule = Strategy.Rule(
        fallback: .local, synchronize: false, timeout: timeout, retry: retry)
      let result = await evocation(rule, remote(Busy(retryAfter: wait))).find(model: Car.self)
      #expect(
        result.metadata[.remote]?["remark"] as? String == "The server asks to wait \(end)")
      #expect(
        "\(result.trace)"
          == "find Car: remote failed: The service is busy. The server asks to wait \(end) "
          + "local, the fallback, returned 1 model.")
    }
  }

  @Test func `what the attempts have used up of the timeout is no longer left to wait`() async {
    let errors = Lock([Busy(), Busy(retryAfter: .seconds(2))])
    let remote = RepositoryMock<Car> { _ in throw errors.withLock { $0.removeFirst() } }
    let rule = Strategy.Rule(
      synchronize: false, timeout: .seconds(5),
      retry: .init(attempts: 9, delay: .seconds(4), multiplier: 1, jitter: 0))
    let evocation = evocation(rule, remote)
    let call = Task { await evocation.find(model: Car.self) }
    await clock.sleeps(2)
    clock.advance(by: .seconds(4))
    let result = await call.value
    #expect((result.error as? Busy)?.retryAfter == .seconds(2))
    #expect(result.metadata[.remote]?.attempts == 2)
  }

  @Test func `a write that a service puts off keeps no other write waiting`() async {
    let remote = remote(Busy(retryAfter: .seconds(Int64.max)))
    let evocation = evocation(.init(synchronize: false, retry: .init(attempts: 5)), remote)
    async let first = evocation.storeOne(Car(id: 1))
    async let second = evocation.storeOne(Car(id: 2))
    let results = await [first, second]
    #expect(results.filter { $0.error is Busy }.count == 1)
    #expect(results.filter { $0.error == nil }.count == 1)
  }

  @Test func `without another attempt nothing is said of waiting`() async {
    for retry in [nil, Strategy.Retry(attempts: 1), .init(attempts: 2, kinds: [.conflict])] {
      let rule = Strategy.Rule(synchronize: false, retry: retry)
      let result = await evocation(rule, remote(Busy(retryAfter: .seconds(3_600))))
        .find(model: Car.self)
      #expect("\(result.trace)" == "find Car: remote failed: The service is busy.")
    }
  }
}
