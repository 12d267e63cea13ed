import EvocationTesting
import TestTraits
import Testing

@testable import EvocationValues

/// A value that is set once.
@Suite(.patient) struct PromiseTests {
  @Test func `All who wait get the value, and those who come later`() async {
    let (promise, called) = (Promise<Int>(), Gate.Counter())
    let tasks = (0..<10).map { _ in Task { await promise.value } }
    for _ in 0..<3 { promise.whenFulfilled { called.increase() } }
    #expect(promise.fulfil(7))
    #expect(!promise.fulfil(8))
    await called.reach(3)
    for task in tasks { #expect(await task.value == 7) }
    #expect(await promise.value == 7)
  }

  @Test func `One who waits no longer than a time sets the value for all`() async {
    let promise = Promise<Int>()
    let other = Task { await promise.value }
    let canceled = Task { await promise.value(ifCancelled: 1) }
    canceled.cancel()
    #expect(await canceled.value == 1)
    #expect(await other.value == 1)
  }
}
