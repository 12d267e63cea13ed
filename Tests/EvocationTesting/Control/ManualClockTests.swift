import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct ManualClockTests {
  private let clock = ManualClock()

  @Test func `Time and date move when they are told to, together`() {
    #expect(clock.now.offset == .zero)
    #expect(clock.date == Date(timeIntervalSinceReferenceDate: 0))
    clock.advance(by: .seconds(90))
    #expect(clock.now.offset == .seconds(90))
    #expect(clock.date == Date(timeIntervalSinceReferenceDate: 90))
  }

  @Test func `A date that is set leaves the time alone, and goes on from there`() {
    clock.advance(by: .seconds(10))
    let sleepless = clock.now
    let date = Date(timeIntervalSinceReferenceDate: -5)
    clock.setDate(date)
    #expect(clock.date == date)
    #expect(clock.now == sleepless)
    clock.advance(by: .seconds(1))
    #expect(clock.date == date + 1)
    let other: any DateClock = ManualClock(date: date)
    #expect(other.date == date)
  }

  @Test func `Sleepers wake at their deadline and not before`() async throws {
    let woken = Lock<[Int]>([])
    async let first: Void = sleep(1, woken)
    await clock.sleeps(1)
    async let second: Void = sleep(2, woken)
    await clock.sleeps(2)
    clock.advance(by: .milliseconds(999))
    #expect(woken.withLock { $0 } == [])
    clock.advance(by: .milliseconds(1))
    try await first
    #expect(woken.withLock { $0 } == [1])
    clock.advance(by: .seconds(5))
    try await second
    #expect(woken.withLock { $0 } == [1, 2])
  }

  private func sleep(_ seconds: Int, _ woken: Lock<[Int]>) async throws {
    try await clock.sleep(for: .seconds(seconds))
    woken.withLock { $0.append(seconds) }
  }

  @Test func `A deadline that has passed is not waited for`() async throws {
    clock.advance(by: .seconds(5))
    let woken = Lock(0)
    for deadline in [clock.now, ManualClock().now] {
      Task {
        try await clock.sleep(until: deadline)
        woken.withLock { $0 += 1 }
      }
    }
    try await eventually("the end of both sleeps") { woken.withLock { $0 } == 2 }
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `A sleeper whose task is cancelled wakes with an error`() async throws {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleeps(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    clock.advance(by: .seconds(2))
  }

  @Test func `Waiting for sleepers that do not come ends when the task is cancelled`() async {
    let task = Task { await clock.sleeps(1) }
    task.cancel()
    #expect(await task.value == false)
  }
}
