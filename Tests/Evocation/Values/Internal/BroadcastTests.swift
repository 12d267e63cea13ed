import Evocation
import EvocationTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct BroadcastTests {
  private let broadcast = Broadcast<Int>()
  private let heard = Lock<[Int]>([])

  private func handler() -> @Sendable (Int) -> Void {
    { [heard] event in heard.withLock { $0.append(event) } }
  }

  @Test func `A handler is called at each event until its observation ends`() {
    #expect(!broadcast.isObserved)
    let observation = broadcast.observe(handler())
    #expect(broadcast.isObserved)
    broadcast.tell(1)
    broadcast.tell(2)
    observation.cancel()
    broadcast.tell(3)
    #expect(heard.withLock { $0 } == [1, 2])
    #expect(!broadcast.isObserved)
  }

  @Test func `A handler may tell, observe and end observations`() {
    let own = Lock<Evocation.Observation?>(nil)
    let made = broadcast.observe { [broadcast, handler = handler()] event in
      guard event == 1 else { return }
      own.withLock { $0 = broadcast.observe(handler) }
      broadcast.tell(2)
      own.withLock { $0 }?.cancel()
      broadcast.tell(3)
    }
    broadcast.tell(1)
    made.cancel()
    #expect(heard.withLock { $0 } == [2])
  }

  @Test func `What a handler holds is released outside the lock`() {
    final class Held: Sendable {
      let broadcast: Broadcast<Int>
      init(_ broadcast: Broadcast<Int>) { self.broadcast = broadcast }
      deinit { broadcast.tell(7) }
    }
    let stays = broadcast.observe(handler())
    var held: Held? = Held(broadcast)
    let observation = broadcast.observe { [held] _ in withExtendedLifetime(held) {} }
    held = nil
    observation.cancel()
    #expect(heard.withLock { $0 } == [7])
    stays.cancel()
  }

  @Test func `All readers get the events in one order, whoever tells them`() async {
    let readers = (0..<3).map { _ in broadcast.events(keeping: .max) }
    await withTaskGroup { group in
      for teller in 0..<8 {
        group.addTask { for event in 0..<200 { broadcast.tell(teller * 1_000 + event) } }
      }
    }
    let orders = readers.map { $0.buffer.takeAll().events }
    #expect(Set(orders).count == 1)
    #expect(Set(orders[0]).count == 1_600)
    for teller in 0..<8 {
      let own = orders[0].filter { $0 / 1_000 == teller }
      #expect(own == own.sorted())
    }
  }

  @Test(arguments: [1, 2, 3, 7])
  func `A slow reader loses the oldest events, and learns that it did`(capacity: Int) async {
    let events = broadcast.events(keeping: capacity)
    for event in 1...capacity { broadcast.tell(event) }
    var (taken, hasMissed) = events.buffer.takeAll()
    #expect(taken == Array(1...capacity))
    #expect(!hasMissed)
    for event in 1...(3 * capacity + 1) { broadcast.tell(event) }
    (taken, hasMissed) = events.buffer.takeAll()
    #expect(taken == Array((2 * capacity + 2)...(3 * capacity + 1)))
    #expect(hasMissed)
    broadcast.tell(5)
    (taken, hasMissed) = events.buffer.takeAll()
    #expect(taken == [5])
    #expect(!hasMissed)
    #expect(events.buffer.isEmpty)
  }

  @Test func `A reader takes one event after another, and waits for the next`() async {
    let events = broadcast.events(keeping: 4)
    for event in 1...6 { broadcast.tell(event) }
    #expect(await events.next() == 3)
    broadcast.tell(7)
    for event in 4...7 { #expect(await events.next() == event) }
    async let next = events.next()
    broadcast.tell(8)
    #expect(await next == 8)
  }

  @Test func `Events that are lost are released outside the lock`() {
    final class Held: Sendable {
      let broadcast: Broadcast<Held>
      let releases: Lock<Int>
      init(_ broadcast: Broadcast<Held>, _ releases: Lock<Int>) {
        self.broadcast = broadcast
        self.releases = releases
      }
      deinit {
        let count = broadcast.last == nil ? 0 : 1
        releases.withLock { $0 += count }
      }
    }
    let broadcast = Broadcast<Held>(last: nil)
    let releases = Lock(0)
    let events = broadcast.events(keeping: 1)
    for _ in 0..<3 { broadcast.tell(Held(broadcast, releases)) }
    #expect(releases.withLock { $0 } == 2)
    #expect(events.buffer.takeAll().events.count == 1)
  }

  @Test func `A late reader that asks for it gets the last value first`() async {
    let value = Broadcast<Int>(last: nil)
    #expect(value.events(keeping: 1, replaysLast: true).buffer.isEmpty)
    #expect(value.set(1))
    #expect(!value.set(1))
    let late = value.events(keeping: 1, replaysLast: true)
    #expect(await late.next() == 1)
    let next = value.events(keeping: 1)
    #expect(next.buffer.isEmpty)
    #expect(!value.set(1))
    #expect(next.buffer.isEmpty)
    #expect(value.set(2))
    #expect(next.buffer.takeAll().events == [2])
    #expect(value.last == 2)
    broadcast.tell(1)
    #expect(broadcast.last == nil)
  }

  @Test func `Readers end with the broadcast, after what was told before`() async {
    var value: Broadcast<Int>? = Broadcast(last: 0)
    let events = value?.events(keeping: 4)
    var stream = value?.events(keeping: 4).stream.makeAsyncIterator()
    value?.tell(1)
    value = nil
    #expect(await events?.next() == 1)
    #expect(await events?.next() == nil)
    #expect(await stream?.next() == 1)
    #expect(await stream?.next() == nil)
  }

  @Test func `A reader that is gone or canceled is not told any more`() async throws {
    do {
      let events = broadcast.events(keeping: 4)
      #expect(broadcast.listenerCount == 1)
      let task = Task { for await _ in events.stream {} }
      task.cancel()
      await task.value
    }
    try await eventually("nobody listens") { broadcast.listenerCount == 0 }
  }

  @Test func `A reader is woken outside the lock`() async {
    final class Enqueuing: TaskExecutor {
      let value: Broadcast<Int>
      let seen = Lock<[Int?]>([])
      init(_ value: Broadcast<Int>) { self.value = value }
      func enqueue(_ job: consuming ExecutorJob) {
        let last = value.last
        seen.withLock { $0.append(last) }
        let job = UnownedJob(job)
        Task.detached { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }
    }
    let value = Broadcast<Int>(last: 0)
    let executor = Enqueuing(value)
    let begun = Gate.Counter()
    let task = Task(executorPreference: executor) {
      let events = value.events(keeping: 4)
      begun.increase()
      return await events.next()
    }
    await begun.reach(1)
    value.tell(3)
    #expect(await task.value == 3)
    #expect(executor.seen.withLock { $0.contains(3) || $0.count == 1 })
  }

  @Test func `Readers of one sequence get all events, each for itself`() async {
    let sequence = broadcast.sequence(keeping: 4)
    broadcast.tell(1)
    var (first, second) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
    broadcast.tell(2)
    // The first has what came before it.
    for event in 1...2 { #expect(await first.next() == event) }
    #expect(await second.next() == 2)
    broadcast.finish()
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
    var late = sequence.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `What comes while nobody reads a sequence waits for the next reader`() async {
    let sequence = broadcast.sequence(keeping: 4)
    do {
      var first = sequence.makeAsyncIterator()
      broadcast.tell(1)
      #expect(await first.next() == 1)
    }
    broadcast.tell(2)
    var next = sequence.makeAsyncIterator()
    #expect(await next.next() == 2)
    #expect(broadcast.listenerCount == 1)
  }

  @Test func `A sequence that outlives its broadcast ends, also for a second reader`() async {
    var value: Broadcast<Int>? = Broadcast(last: 0)
    let sequence = value?.sequence(keeping: 4)
    var first = sequence?.makeAsyncIterator()
    value = nil
    var second = sequence?.makeAsyncIterator()
    #expect(await first?.next() == nil)
    #expect(await second?.next() == nil)
  }

  @Test func `Of several that wait at one buffer, none waits for ever`() async throws {
    let events = broadcast.events(keeping: 4)
    let tasks = (0..<3).map { _ in Task { await events.next() } }
    let canceled = Task { await events.next() }
    canceled.cancel()
    #expect(await canceled.value == nil)
    for event in 1...3 { broadcast.tell(event) }
    var taken: [Int?] = []
    for task in tasks { taken.append(await task.value) }
    #expect(Set(taken) == [1, 2, 3])
  }
}
