import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import EvocationHTTP

@Suite(.patient) struct LiveWatchTests {
  private let clock = ManualClock()
  private let late = Record<Duration>()
  private let watch: LiveWatch

  init() {
    watch = LiveWatch(Deadlines(TimeSource(clock)))
  }

  /// Moves the time when somebody waits for it.
  private func advance(_ seconds: Int) async {
    await clock.sleeps(1)
    clock.advance(by: .seconds(seconds))
  }

  @Test func `Silence is noticed when its time is over, and not before`() async throws {
    watch.expect(within: .seconds(10)) { [late] in late.append($0) }
    await advance(9)
    watch.expect(within: .seconds(10)) { [late] in late.append($0) }
    await advance(1)
    // The deadline looks, and plans again for the sign that came.
    await clock.sleeps(2)
    #expect(late.elements.isEmpty)
    clock.advance(by: .seconds(9))
    try await eventually("the end") { late.elements == [.seconds(10)] }
  }

  @Test func `Nothing is expected during a pause, and after a stop`() async throws {
    watch.expect(within: .seconds(10)) { [late] in late.append($0) }
    watch.pause()
    await advance(60)
    watch.expect(within: .seconds(10)) { [late] in late.append($0) }
    await clock.sleeps(2)
    #expect(late.elements.isEmpty)
    watch.stop()
    watch.expect(within: .seconds(10)) { [late] in late.append($0) }
    clock.advance(by: .seconds(60))
    let other = LiveWatch(Deadlines(TimeSource(clock)))
    other.expect(within: .seconds(1)) { [late] in late.append($0) }
    await clock.sleeps(3)
    clock.advance(by: .seconds(1))
    try await eventually("the other watch") { late.elements == [.seconds(1)] }
  }

  @Test func `A first sign does not move its time, and a shorter time replaces a longer one`()
    async throws
  {
    watch.expect(within: .seconds(100)) { [late] in late.append($0) }
    await clock.sleeps(1)
    watch.expectFirst(within: .seconds(10)) { [late] in late.append($0) }
    await clock.sleeps(2)
    clock.advance(by: .seconds(9))
    watch.expectFirst(within: .seconds(10)) { [late] in late.append($0) }
    clock.advance(by: .seconds(1))
    try await eventually("the end") { late.elements == [.seconds(10)] }
  }
}
