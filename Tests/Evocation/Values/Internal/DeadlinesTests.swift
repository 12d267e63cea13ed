import Evocation
import EvocationTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeadlinesTests {
  private let clock = ManualClock()
  private let done = Done()
  private let deadlines: Deadlines

  init() {
    deadlines = Deadlines(TimeSource(clock))
  }

  private func add(_ name: String, at second: Int) -> Int {
    deadlines.add(at: .seconds(second)) { [done] in done.append(name) }
  }

  @Test func `What has its time is done when that has come, in the order in which it was added`()
    async
  {
    _ = add("third", at: 3)
    await clock.sleeps(1)
    _ = add("second", at: 2)
    _ = add("second again", at: 2)
    await clock.sleeps(2)
    clock.advance(by: .seconds(1))
    #expect(done.elements.isEmpty)
    clock.advance(by: .seconds(1))
    await done.reach(2)
    #expect(done.elements == ["second", "second again"])
    clock.advance(by: .seconds(1))
    await done.reach(3)
    #expect(done.elements.last == "third")
  }

  @Test func `One task waits for all that come later than the first`() async {
    _ = add("first", at: 1)
    await clock.sleeps(1)
    for second in 2...10 { _ = add("number \(second)", at: second) }
    clock.advance(by: .seconds(20))
    // The nine are due by now, so that whoever waits for the next of them does not sleep.
    await done.reach(10)
    #expect(done.elements.first == "first")
    #expect(Set(done.elements).count == 10)
  }

  @Test func `What is called off is not done, and the rest is`() async {
    let first = add("first", at: 1)
    _ = add("second", at: 2)
    await clock.sleeps(1)
    deadlines.remove(first)
    deadlines.remove(first)
    clock.advance(by: .seconds(1))
    await clock.sleeps(2)
    clock.advance(by: .seconds(1))
    await done.reach(1)
    #expect(done.elements == ["second"])
  }

  @Test func `Nobody waits when all is called off, and what comes then is waited for anew`() async {
    deadlines.remove(add("first", at: 1))
    let late = add("late", at: 9)
    _ = add("second", at: 2)
    deadlines.remove(late)
    await clock.sleeps(1)
    clock.advance(by: .seconds(10))
    await done.reach(1)
    #expect(done.elements == ["second"])
  }

  @Test func `What is due already is done at once, also where it was added too late`() async {
    clock.advance(by: .seconds(5))
    _ = add("late", at: 1)
    #expect(await done.reach(1))
    #expect(done.elements == ["late"])
  }
}

/// What was done, in its order.
private final class Done: Sendable {
  private let names = Lock<[String]>([])
  private let count = Gate.Counter()

  var elements: [String] { names.withLock { names in names } }

  func append(_ name: String) {
    names.withLock { $0.append(name) }
    count.increase()
  }

  @discardableResult
  func reach(_ number: Int) async -> Bool { await count.reach(number) }
}
