import Evocation
import EvocationTesting
import Foundation
import Testing

/// The arithmetic of time, at the ends of its types.
@Suite struct DurationBoundsTests {
  static let durations: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(1), .seconds(-1), .seconds(Int64.max),
    .seconds(Int64.min), .seconds(Int64.max) * 18, .seconds(Int64.min) * 18, .longest,
    .zero - .longest, .longest - .nanoseconds(1), .tooLongToSleep,
  ]

  static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, 1e30, -1e30, 9.3e18, -9.3e18, 1e21, .infinity, -.infinity, .nan,
    .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  static let dates =
    numbers.map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantPast, .distantFuture]

  private let longest = Duration.longest.seconds

  private func clamped(_ seconds: Double) -> Double { min(max(seconds, -longest), longest) }

  private func isNear(_ duration: Duration, _ seconds: Double) -> Bool {
    abs(duration.seconds - clamped(seconds)) <= abs(seconds) * 1e-12 + 1e-9
  }

  @Test func `sums and differences of any two durations end at the longest one`() {
    for left in Self.durations {
      for right in Self.durations {
        #expect(isNear(left.adding(right), left.seconds + right.seconds))
        #expect(isNear(left.subtracting(right), left.seconds - right.seconds))
        for result in [left.adding(right), left.subtracting(right), left.bounded] {
          #expect(result <= .longest && result >= .zero - .longest)
        }
      }
    }
  }

  @Test func `products with any number end at the longest one, and no number makes nothing`() {
    for duration in Self.durations {
      for number in Self.numbers {
        let product = duration.multiplied(by: number)
        let expected = duration.seconds * number
        #expect(isNear(product, expected.isNaN ? 0 : expected), "\(duration) × \(number)")
      }
    }
    #expect(Duration.seconds(3).multiplied(by: 0.5) == .milliseconds(1500))
  }

  @Test func `a number of seconds is the nearest duration, and what is none is none`() {
    for number in Self.numbers {
      let duration = Duration(nearest: number)
      #expect((duration == nil) == number.isNaN)
      if let duration { #expect(isNear(duration, number)) }
    }
    #expect(Duration(nearest: 0.25) == .milliseconds(250))
    #expect(Duration(nearest: .infinity) == .longest)
  }

  @Test func `the time between any two dates is bounded, and known only forwards`() {
    for first in Self.dates {
      for second in Self.dates {
        let duration = Duration(from: first, to: second)
        let seconds = second.timeIntervalSince(first)
        #expect((duration != nil) == (seconds >= 0))
        if let duration { #expect(isNear(duration, seconds)) }
      }
    }
  }

  @Test func `any duration has seconds`() {
    #expect((Duration.seconds(Int64.max) * 18).seconds == longest)
    #expect((Duration.seconds(Int64.min) * 18).seconds == -longest)
    #expect(Duration.milliseconds(1_234).seconds == 1.234)
  }

  @Test func `a manual clock goes on to the end of its time and stays there`() async throws {
    for first in Self.durations {
      for second in Self.durations {
        let clock = ManualClock()
        clock.advance(by: first)
        clock.advance(by: second)
        #expect(clock.now.offset == first.adding(second))
        let start = ManualClock().now
        #expect(start.duration(to: clock.now) == first.adding(second))
        #expect(clock.now.duration(to: start) == Duration.zero.subtracting(clock.now.offset))
        #expect(clock.now.advanced(by: first).offset == clock.now.offset.adding(first))
        for date in Self.dates { clock.setDate(date) }
        _ = clock.date
        try await clock.sleep(until: clock.now)
      }
    }
  }
}
