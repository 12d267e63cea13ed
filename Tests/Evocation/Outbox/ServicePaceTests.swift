import Evocation
import Foundation
import Testing

@testable import EvocationOutbox

extension ServicePace {
  /// A pace that has failed so often, each time as soon as it could be asked, and when that was.
  static func failing(
    _ count: Int, _ retry: Strategy.Retry
  ) -> (pace: ServicePace, time: Duration) {
    var (pace, time) = (ServicePace(retry), Duration.zero)
    for _ in 0..<count {
      if case .from(let next) = pace.room(at: time) { time = next }
      _ = pace.fail(pace.begin(at: time, chance: 0.5), retryAfter: nil, at: time, chance: 0.5)
    }
    return (pace, time)
  }
}

@Suite struct ServicePaceTests {
  /// Pauses of 1, 2, 4 … 64 seconds, without jitter.
  private static let retry = Strategy.Retry(
    attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(64), jitter: 0)

  private static let jittered = Strategy.Retry(
    attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(64), jitter: 0.5)

  @Test func `one request goes first, and with each success one more, up to the limit`() {
    var pace = ServicePace(Self.retry, concurrency: 4)
    for most in [1, 2, 3, 4, 4] {
      #expect(pace.room(at: .zero) == .now(most))
      pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero)
    }
  }

  @Test func `a request that runs takes its place`() {
    var pace = ServicePace(Self.retry)
    let request = pace.begin(at: .zero, chance: 0)
    #expect(pace.room(at: .zero) == .whenOneEnds)
    pace.end(request)
    #expect(pace.room(at: .zero) == .now(1))
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (7, 64), (8, 64), (100, 64)])
  func `after each failure the service is left alone for longer`(failures: Int, pause: Int) {
    let (pace, time) = ServicePace.failing(failures, Self.retry)
    #expect(pace.room(at: time) == .from(time + .seconds(pause)))
    #expect(pace.room(at: time + .seconds(pause)) == .now(1))
  }

  @Test func `one probe goes after the pause, and no second one beside it`() {
    var (pace, time) = ServicePace.failing(3, Self.retry)
    time += .seconds(4)
    _ = pace.begin(at: time, chance: 0)
    #expect(pace.room(at: time) == .whenOneEnds)
  }

  @Test func `a probe that is cancelled makes room for another at once`() {
    var (pace, time) = ServicePace.failing(3, Self.retry)
    time += .seconds(4)
    let probe = pace.begin(at: time, chance: 0)
    pace.end(probe)
    #expect(pace.room(at: time) == .now(1))
  }

  @Test func `after a failure of its own a service is asked as before`() {
    var (pace, time) = ServicePace.failing(1, Self.retry)
    time += .seconds(1)
    pace.succeed(pace.begin(at: time, chance: 0), at: time)
    #expect(pace.room(at: time) == .now(2))
  }

  @Test func `requests that fail together are one failure`() {
    var pace = ServicePace(Self.retry)
    for _ in 0..<4 { pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero) }
    let requests = (0..<4).map { _ in pace.begin(at: .zero, chance: 0) }
    let suspected = requests.map { pace.fail($0, retryAfter: nil, at: .zero, chance: 0) }
    #expect(suspected == [true, false, false, false])
    #expect(pace.room(at: .zero) == .from(.seconds(1)))
  }

  @Test func `what succeeds beside a failure does not end its pause`() {
    var pace = ServicePace(Self.retry)
    pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero)
    let (failed, succeeded) = (pace.begin(at: .zero, chance: 0), pace.begin(at: .zero, chance: 0))
    _ = pace.fail(failed, retryAfter: nil, at: .zero, chance: 0)
    pace.succeed(succeeded, at: .zero)
    #expect(pace.room(at: .zero) == .from(.seconds(1)))
  }

  @Test func `requests of before the pause count to the limit while they run`() {
    var pace = ServicePace(Self.retry, concurrency: 2)
    pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero)
    let (first, second) = (pace.begin(at: .zero, chance: 0), pace.begin(at: .zero, chance: 0))
    _ = pace.fail(first, retryAfter: nil, at: .zero, chance: 0)
    _ = pace.begin(at: .seconds(1), chance: 0)
    #expect(pace.room(at: .seconds(1)) == .whenOneEnds)
    pace.end(second)
    #expect(pace.room(at: .seconds(1)) == .whenOneEnds)
  }

  @Test(arguments: [0, 1, 5, 40, 64, 1000], [0, 0.5, 0.999])
  func `a service is never asked sooner than it asked for`(seconds: Int, chance: Double) {
    for failures in 0...8 {
      var (pace, time) = ServicePace.failing(failures, Self.jittered)
      if case .from(let next) = pace.room(at: time) { time = next }
      let request = pace.begin(at: time, chance: chance)
      _ = pace.fail(request, retryAfter: .seconds(seconds), at: time, chance: chance)
      guard case .from(let next) = pace.room(at: time) else {
        Issue.record("There is room.")
        continue
      }
      #expect(next >= time + .seconds(seconds))
      #expect(next <= time + .seconds(seconds) + .seconds(300))
    }
  }

  @Test
  func `what a service asks for holds when it says so of an older request, and on coming back`() {
    var pace = ServicePace(Self.retry)
    pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero)
    let (first, second) = (pace.begin(at: .zero, chance: 0), pace.begin(at: .zero, chance: 0))
    _ = pace.fail(first, retryAfter: nil, at: .zero, chance: 0)
    _ = pace.fail(second, retryAfter: .seconds(30), at: .zero, chance: 0)
    pace.comeBack(at: .seconds(1), chance: 0)
    #expect(pace.room(at: .seconds(1)) == .from(.seconds(30)))
  }

  @Test(arguments: [Duration.seconds(Int64.max), .longest, .zero - .longest, .seconds(-1)])
  func `a hostile Retry-After neither traps nor silences for ever`(retryAfter: Duration) {
    for now in [Duration.zero, .seconds(1), .longest] {
      var pace = ServicePace(Self.jittered)
      let request = pace.begin(at: now, chance: 0.5)
      _ = pace.fail(request, retryAfter: retryAfter, at: now, chance: 0.5)
      pace.comeBack(at: now, chance: 0.5)
      let day = now.adding(ServicePace.longestRetryAfter).adding(.seconds(2))
      #expect(pace.room(at: day) == .now(1))
    }
  }

  @Test(
    arguments: [0, 1, -1, .infinity, .nan, 1e300] as [Double],
    [Duration.zero, .seconds(-1), .seconds(1), .longest])
  func `no number of a strategy traps`(number: Double, time: Duration) {
    let retry = Strategy.Retry(
      attempts: .max, delay: time, multiplier: number, maximumDelay: time, jitter: number)
    var pace = ServicePace(retry, concurrency: .max)
    for now in [Duration.zero, .seconds(1), .longest, .zero] {
      _ = pace.room(at: now)
      pace.succeed(pace.begin(at: now, chance: number), at: now)
      _ = pace.fail(pace.begin(at: now, chance: number), retryAfter: time, at: now, chance: number)
      pace.comeBack(at: now, chance: number)
      _ = pace.room(at: now)
      pace.succeed(pace.begin(at: now, chance: number), at: now)
    }
    // All have ended, so that at the end of time at least one may begin.
    switch pace.room(at: .longest) {
    case .now(let most): #expect(most >= 1)
    case let room: Issue.record("The service is never asked again: \(room)")
    }
  }

  @Test(arguments: [0, 1, 10])
  func `on coming back a probe goes soon`(failures: Int) {
    var (pace, time) = ServicePace.failing(failures, Self.retry)
    time += .seconds(0.5)
    pace.comeBack(at: time, chance: 0.25)
    #expect(pace.room(at: time) == .from(time + .seconds(0.5)))
    time += .seconds(0.5)
    #expect(pace.room(at: time) == .now(1))
    _ = pace.begin(at: time, chance: 0)
    #expect(pace.room(at: time) == .whenOneEnds)
  }

  @Test func `who comes back to a service that is there is soon as fast as before`() {
    var pace = ServicePace(Self.retry)
    pace.comeBack(at: .zero, chance: 0)
    for most in [1, 2, 3, 4] {
      #expect(pace.room(at: .zero) == .now(most))
      pace.succeed(pace.begin(at: .zero, chance: 0), at: .zero)
    }
  }

  @Test(arguments: [0, 0.25, 0.75])
  func `those refused on coming back are spread over the longest pause`(chance: Double) {
    var pace = ServicePace(Self.retry)
    pace.comeBack(at: .zero, chance: 0)
    let probe = pace.begin(at: .zero, chance: 0)
    _ = pace.fail(probe, retryAfter: .seconds(4), at: .zero, chance: chance)
    let pause = Duration.seconds(4 + 60 * chance)
    #expect(pace.room(at: .zero) == .from(pause))
    #expect(pace.room(at: pause) == .now(1))
  }

  @Test func `one failure on coming back may be the network's, a second one is not`() {
    var pace = ServicePace(Self.retry)
    pace.comeBack(at: .zero, chance: 0)
    _ = pace.fail(pace.begin(at: .zero, chance: 0), retryAfter: nil, at: .zero, chance: 0.5)
    #expect(pace.room(at: .zero) == .from(.seconds(1)))
    let second = pace.begin(at: .seconds(1), chance: 0)
    _ = pace.fail(second, retryAfter: nil, at: .seconds(1), chance: 0.5)
    #expect(pace.room(at: .seconds(1)) == .from(.seconds(33)))
  }

  @Test func `an entry is suspected only where the service was well and gave no time`() {
    for (isWell, retryAfter) in [(true, nil), (true, 1), (false, nil), (false, 1)] {
      var pace = isWell ? ServicePace(Self.retry) : ServicePace.failing(1, Self.retry).pace
      let request = pace.begin(at: .seconds(9), chance: 0)
      let isSuspected = pace.fail(
        request, retryAfter: retryAfter.map { .seconds($0) }, at: .seconds(9), chance: 0)
      #expect(isSuspected == (isWell && retryAfter == nil))
    }
  }
}
