import Evocation
import EvocationTesting
import TestTraits
import Testing

/// The samples of the page on testing that concern the outbox, as they stand there.
@Suite(.patient) struct TestingOutboxPageTests {
  private let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)
  private let other = Car(id: 2, name: "datsun 310", origin: "Japan", year: 1979)

  @Test func `an outbox begins in a state`() async throws {
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self).repository(remote: IdempotentService<Car>())
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    try await evocation.outbox.testing.initState(of: Car.self) {
      $0.pending(car)
      $0.parked(other, reason: "The service refused the year.")
    }
    #expect(try await evocation.outbox.status().parked == 1)
  }

  @Test func `a connection comes back`() async throws {
    let connectivity = ManualConnectivity(isOnline: false)
    let evocation = Evocation(
      configuration: .init(outbox: .init(connectivity: connectivity)))
    connectivity.goOnline()
    #expect(try await evocation.outbox.status().pending == 0)
    #expect(connectivity.isOnline)
  }

  @Test func `a service acts and loses its answer`() async throws {
    let service = IdempotentService<Car>()
    let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(car)
    while await evocation.outbox.flush().left > 0 {}
    #expect(service.requests == ["store 1 acted", "store 1 repeated"])
    #expect(service.effects(on: 1) == 1)
  }
}
