import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct OutboxTestingTests {
  private let car = Car(id: 1, name: "a", year: 1980, owner: nil)
  private let other = Car(id: 2, name: "b", year: 1990, owner: "x")
  private let local = InMemoryRepository<Car>()

  private var evocation: Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self).repository(remote: IdempotentService<Car>())
      .repository(local: local).strategy(.offlineFirst)
    return evocation
  }

  @Test func `An outbox begins with what a test puts into it, and local with its models`()
    async throws
  {
    let evocation = evocation
    let removed = Car(id: 3, name: "c", year: 2000, owner: nil)
    _ = try await local.store([removed])
    let until = Date(timeIntervalSinceReferenceDate: 60)
    try await evocation.outbox.testing.initState(of: Car.self) {
      $0.pending(car)
      $0.parked(other, base: other, reason: "The service refused the year.")
      $0.waiting(removed, kind: .remove, base: removed, until: until, reason: "It is away.")
    }
    let entries = try await evocation.outbox.entries(of: Car.self)
    #expect(entries.map(\.model) == [car, other, removed])
    #expect(entries.map(\.kind) == [.store, .update, .remove])
    #expect(
      entries.map(\.state) == [
        .pending, .parked(.permanent, reason: "The service refused the year."),
        .waiting(until: until, reason: "It is away."),
      ])
    #expect(
      entries.map(\.queuedAt) == Array(repeating: Date(timeIntervalSinceReferenceDate: 0), count: 3)
    )
    #expect(try await local.find(Criteria()).value == [car, other])
    let status = try await evocation.outbox.status()
    #expect(status.pending == 2)
    #expect(status.parked == 1)
    var states = evocation.outbox.syncStates(of: Car.self).makeAsyncIterator()
    #expect(
      await states.next() == [
        1: .pending, 2: .parked(reason: "The service refused the year."),
        3: .pending,
      ])
  }

  @Test
  func `A later state takes the place of the one before, and is sent as the app's writes are`()
    async throws
  {
    let evocation = evocation
    try await evocation.outbox.testing.initState(of: Car.self) { $0.parked(car, reason: "no") }
    try await evocation.outbox.testing.initState(of: Car.self) { $0.pending(other) }
    #expect(try await evocation.outbox.entries(of: Car.self).map(\.model) == [other])
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    try await evocation.outbox.testing.initState(of: Car.self) { _ in }
    #expect(try await evocation.outbox.status().pending == 0)
  }

  @Test func `A model type without an outbox is told so`() async throws {
    let evocation = Evocation()
    await #expect(throws: EvocationError.proxyNotFound(model: "Car")) {
      try await evocation.outbox.testing.initState(of: Car.self) { $0.pending(car) }
    }
  }
}
