import Evocation
import Testing

@testable import EvocationOutbox

/// What the pace of a service is when it was away for long, and thus missed by many.
@Suite struct ServicePaceOutageTests {
  /// Pauses of 1, 2, 4 … 64 seconds, with jitter.
  private static let jittered = Strategy.Retry(
    attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(64), jitter: 0.5)

  @Test(arguments: [0, 0.25, 0.75])
  func `the first longest pause ends at any moment, to which those that follow keep`(
    chance: Double
  ) {
    var (pace, time) = ServicePace.failing(6, Self.jittered)
    for pause in [Duration.seconds(1 + 63 * chance), .seconds(64), .seconds(64)] {
      if case .from(let next) = pace.room(at: time) { time = next }
      let probe = pace.begin(at: time, chance: chance)
      _ = pace.fail(probe, retryAfter: nil, at: time, chance: chance)
      #expect(pace.room(at: time) == .from(time + pause))
    }
  }

  @Test func `a Retry-After that is longer than the longest pause gets jitter all the same`() {
    for chance in [0, 0.5, 0.75] {
      var (pace, time) = ServicePace.failing(8, Self.jittered)
      if case .from(let next) = pace.room(at: time) { time = next }
      let probe = pace.begin(at: time, chance: 0)
      _ = pace.fail(probe, retryAfter: .seconds(1000), at: time, chance: chance)
      #expect(pace.room(at: time) == .from(time + .seconds(1000 + 32 * chance)))
    }
  }

  /// Pauses of 1, 2, 4 … 1024 and 1200 seconds, without jitter.
  private static let long = Strategy.Retry(
    attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(1200), jitter: 0)

  /// A pace whose probe has succeeded after so many failures, and when that was.
  private func recovered(after failures: Int) -> (pace: ServicePace, time: Duration) {
    var (pace, time) = ServicePace.failing(failures, Self.long)
    if case .from(let next) = pace.room(at: time) { time = next }
    pace.succeed(pace.begin(at: time, chance: 0.5), at: time)
    return (pace, time)
  }

  @Test(arguments: [(1, true), (7, true), (8, false), (12, false)])
  func `after an outage requests go one at a time, and apart from one another`(
    failures: Int, isShort: Bool
  ) {
    var (pace, time) = recovered(after: failures)
    guard !isShort else {
      #expect(pace.room(at: time) == .now(2))
      return
    }
    guard case .from(let next) = pace.room(at: time) else {
      Issue.record("There is room.")
      return
    }
    #expect((0.2...3).contains((next - time).seconds))
    time = next
    #expect(pace.room(at: time) == .now(1))
    _ = pace.begin(at: time, chance: 0.5)
    #expect(pace.room(at: time + .seconds(9)) == .whenOneEnds)
  }

  @Test func `each success makes the time between requests shorter, until there is no caution`() {
    var (pace, time) = recovered(after: 12)
    var (last, count) = (Duration.seconds(3.1), 1)
    while case .from(let next) = pace.room(at: time), count < 100 {
      #expect(next - time < last)
      (last, time, count) = (next - time, next, count + 1)
      pace.succeed(pace.begin(at: time, chance: 0.5), at: time)
    }
    #expect((20..<100).contains(count))
    #expect(pace.room(at: time) == .now(4))
  }

  @Test func `who is refused after an outage leaves the service alone as long as before`() {
    var (pace, time) = recovered(after: 12)
    time += .seconds(3)
    _ = pace.fail(
      pace.begin(at: time, chance: 0.5), retryAfter: .seconds(5), at: time, chance: 0)
    #expect(pace.room(at: time) == .from(time + .seconds(1200)))
  }

  @Test func `an outage is forgotten when nothing was sent for as long`() {
    var (pace, time) = recovered(after: 12)
    time += .seconds(1201)
    _ = pace.fail(pace.begin(at: time, chance: 0.5), retryAfter: nil, at: time, chance: 0)
    #expect(pace.room(at: time) == .from(time + .seconds(1)))
  }

  @Test func `what a user asks for goes at once, and without caution`() {
    var (pace, time) = ServicePace.failing(12, Self.long)
    pace.wanted(at: time)
    #expect(pace.room(at: time) == .now(1))
    pace.succeed(pace.begin(at: time, chance: 0.5), at: time)
    #expect(pace.room(at: time) == .now(2))
    (pace, time) = recovered(after: 12)
    pace.wanted(at: time)
    #expect(pace.room(at: time) == .now(2))
  }

  @Test func `when a user asks in vain, the pause goes on as before, and so does caution`() {
    var (pace, time) = ServicePace.failing(8, Self.long)
    pace.wanted(at: time)
    _ = pace.fail(pace.begin(at: time, chance: 0.5), retryAfter: nil, at: time, chance: 0)
    #expect(pace.room(at: time) == .from(time + .seconds(256)))
    time += .seconds(256)
    pace.succeed(pace.begin(at: time, chance: 0.5), at: time)
    #expect(pace.room(at: time) != .now(2))
  }

  @Test func `a user's wish does not override what the service asked for`() {
    var pace = ServicePace(Self.long)
    _ = pace.fail(
      pace.begin(at: .zero, chance: 0), retryAfter: .seconds(30), at: .zero, chance: 0)
    pace.wanted(at: .seconds(1))
    #expect(pace.room(at: .seconds(1)) == .from(.seconds(30)))
  }
}
