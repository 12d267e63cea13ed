import Evocation
import EvocationTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct AlarmTests {
  private let clock = ManualClock()
  private let alarm: Alarm
  private let rings = Rings()

  init() {
    alarm = Alarm(TimeSource(clock))
  }

  private func ring(by second: Int) {
    alarm.ring(by: .seconds(second)) { [rings] in rings.add() }
  }

  @Test func `It rings once, at its time`() async {
    ring(by: 2)
    await clock.sleeps(1)
    clock.advance(by: .seconds(1))
    #expect(rings.count == 0)
    clock.advance(by: .seconds(1))
    await rings.reach(1)
    clock.advance(by: .seconds(9))
    #expect(rings.count == 1)
  }

  @Test func `An earlier time replaces a later one, and a later one waits for its turn`() async {
    ring(by: 5)
    await clock.sleeps(1)
    ring(by: 2)
    await clock.sleeps(2)
    ring(by: 9)
    clock.advance(by: .seconds(2))
    await rings.reach(1)
    clock.advance(by: .seconds(20))
    #expect(rings.count == 1)
    ring(by: 30)
    await clock.sleeps(3)
    clock.advance(by: .seconds(8))
    #expect(await rings.reach(2))
  }

  @Test func `A time that has passed rings at once`() async {
    clock.advance(by: .seconds(5))
    ring(by: 1)
    #expect(await rings.reach(1))
  }

  @Test func `What rings may plan again`() async {
    alarm.ring(by: .seconds(1)) { [alarm, rings] in
      alarm.ring(by: .seconds(2)) { rings.add() }
    }
    await clock.sleeps(1)
    clock.advance(by: .seconds(1))
    await clock.sleeps(2)
    clock.advance(by: .seconds(1))
    #expect(await rings.reach(1))
  }

  @Test func `It does not ring after it was stopped or released, until it is planned again`() async
  {
    ring(by: 1)
    alarm.stop()
    do {
      let released = Alarm(TimeSource(clock))
      released.ring(by: .seconds(1)) { [rings] in rings.add() }
    }
    clock.advance(by: .seconds(3))
    ring(by: 4)
    clock.advance(by: .seconds(3))
    await rings.reach(1)
    #expect(rings.count == 1)
  }
}

/// How often an alarm has rung.
private final class Rings: Sendable {
  private let rung = Lock(0)
  private let counter = Gate.Counter()

  var count: Int { rung.withLock { $0 } }

  func add() {
    rung.withLock { $0 += 1 }
    counter.increase()
  }

  @discardableResult
  func reach(_ count: Int) async -> Bool { await counter.reach(count) }
}
