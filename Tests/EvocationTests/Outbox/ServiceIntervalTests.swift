import Foundation
import Testing

@testable import Evocation

@Suite struct ServiceIntervalTests {
  private static let retry = Strategy.Retry(
    attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(300), jitter: 0)

  private func away(_ pause: Duration) -> ServiceInterval {
    var interval = ServiceInterval(Self.retry)
    interval.wasAway(for: pause, at: .zero)
    return interval
  }

  private func length(_ interval: ServiceInterval, at time: Duration = .zero) -> Duration {
    interval.end(ofWait: 1, from: time).subtracting(time)
  }

  @Test func `a service that nobody has asked yet needs no time between requests`() {
    let interval = ServiceInterval(Self.retry)
    #expect(interval.isNone)
    #expect(length(interval) == .zero)
  }

  @Test func `after an outage requests keep a share of the pause from one another`() {
    let seconds = length(away(.seconds(300))).seconds
    #expect((60..<150).contains(seconds))
    #expect(length(away(.seconds(30))).seconds < seconds / 8)
  }

  @Test func `a refusal makes the interval longer, up to the longest pause`() {
    var interval = away(.seconds(30))
    var last = length(interval)
    for _ in 0..<5 {
      interval.lengthen(asked: .zero, at: .zero)
      #expect(length(interval) > last)
      last = length(interval)
    }
    for _ in 0..<50 { interval.lengthen(asked: .zero, at: .zero) }
    #expect(length(interval) <= .seconds(300))
  }

  @Test func `the interval is not shorter than what the service asked for`() {
    var interval = away(.seconds(30))
    interval.lengthen(asked: .seconds(100), at: .zero)
    #expect(length(interval).seconds > 95)
    interval.atLeast(.longest, at: .zero)
    #expect(length(interval) <= .seconds(300))
  }

  @Test func `successes and time make it shorter, until it is none`() {
    var interval = away(.seconds(300))
    var last = length(interval)
    for second in stride(from: 100, through: 3000, by: 100) where !interval.isNone {
      interval.shorten(at: .seconds(second))
      #expect(length(interval, at: .seconds(second)) < last)
      last = length(interval, at: .seconds(second))
    }
    #expect(interval.isNone)
  }

  @Test func `it is forgotten when nothing was sent for long`() {
    var interval = away(.seconds(300))
    interval.forget(after: .seconds(1200))
    #expect(!interval.isNone)
    interval.forget(after: .seconds(1201))
    #expect(interval.isNone)
  }
}
