import Evocation
import EvocationInspection
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Inspections one after another, for a screen.
@Suite(.patient) struct InspectionsTests {
  private let clock = ManualClock()

  @Test func `There is one at once, and another only when something has changed`() async throws {
    let evocation = Evocation.flushedByHand(clock: clock)
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .strategy(.localOnly)
    let (counts, continuation) = AsyncStream<Int>.makeStream()
    let reader = Task {
      for await inspection in evocation.inspections(every: .seconds(2)) {
        continuation.yield(inspection.models.first?.count ?? 0)
      }
      continuation.finish()
    }
    var seen = counts.makeAsyncIterator()
    #expect(await seen.next() == 0)
    _ = await clock.sleeps(1)
    clock.advance(by: .seconds(2))
    _ = await clock.sleeps(2)
    _ = await evocation.storeOne(Car(id: 1))
    clock.advance(by: .seconds(2))
    #expect(await seen.next() == 1)
    _ = await clock.sleeps(3)
    reader.cancel()
    #expect(await seen.next() == nil)
  }

  @Test func `A copy of an iterator goes on where the other is`() async throws {
    let evocation = Evocation.flushedByHand(clock: clock)
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .strategy(.localOnly)
    var inspections = evocation.inspections(every: .seconds(2)).makeAsyncIterator()
    var copy = inspections
    #expect(await inspections.next(isolation: #isolation)?.models.first?.count == 0)
    let change = Task { [clock] in
      _ = await clock.sleeps(1)
      _ = await evocation.storeOne(Car(id: 1))
      clock.advance(by: .seconds(2))
    }
    defer { change.cancel() }
    #expect(await copy.next(isolation: #isolation)?.models.first?.count == 1)
  }
}
