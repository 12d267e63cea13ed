import Evocation
import Testing

@Suite struct BackoffTests {
  private let backoff = Backoff(
    first: .seconds(2), multiplier: 3, longest: .seconds(20), jitter: 0.5)

  @Test func `Each pause is longer than the one before, up to the longest`() {
    let pauses = (0...5).map { backoff.pause(after: $0) }
    #expect(pauses == [.zero, .seconds(2), .seconds(6), .seconds(18), .seconds(20), .seconds(20)])
    #expect(backoff.pause(after: .max) == .seconds(20))
  }

  @Test func `Chance makes a pause shorter by at most the jitter`() {
    #expect(backoff.pause(after: 2, chance: 0.5) == .milliseconds(4_500))
    #expect(backoff.pause(after: 2, chance: 1) == .seconds(3))
  }

  @Test func `A pause is at least as long as the server asks for`() {
    #expect(backoff.pause(after: 1, asked: .seconds(1)) == .seconds(2))
    #expect(backoff.pause(after: 4, chance: 1, asked: .seconds(90)) == .seconds(90))
    #expect(backoff.pause(after: 0, asked: .seconds(9)) == .seconds(9))
  }

  @Test func `Values out of their ranges are limited to them`() {
    let odd = Backoff(first: .seconds(-1), multiplier: 0.1, longest: .seconds(-5), jitter: 7)
    #expect(odd.pause(after: 3, chance: 1) == .zero)
    let shrinking = Backoff(first: .seconds(1), multiplier: 0.5, longest: .seconds(9), jitter: -1)
    #expect(shrinking.pause(after: 3, chance: 1) == .seconds(1))
  }
}
