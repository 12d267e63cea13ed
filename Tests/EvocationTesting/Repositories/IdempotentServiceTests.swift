import Evocation
import EvocationTesting
import TestTraits
import Testing

@Suite(.patient) struct IdempotentServiceTests {
  private let car = Car(id: 1, name: "a", year: 1980, owner: nil)

  @Test func `Without keys it keeps the contract of every repository`() async {
    let models = (1...3).map { Car(id: $0, name: "\($0)", year: 1980 + $0, owner: nil) }
    let contract = RepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
    #expect(await contract.violations { IdempotentService<Car>() } == [])
  }

  @Test func `A write with a key that was seen is answered as at first, and not done again`()
    async throws
  {
    let service = IdempotentService<Car>()
    for _ in 1...2 {
      let answer = try await IdempotencyKey.$current.withValue("k") {
        try await service.storeOne(car)
      }
      #expect(answer.value == car)
    }
    await #expect(throws: EvocationError.alreadyExists(["1"])) { try await service.storeOne(car) }
    #expect(
      service.requests == [
        "store 1 acted", "store 1 repeated", "store 1 refused",
      ])
    #expect(service.served.map(\.key) == ["k", "k", nil])
    #expect(service.effects(on: 1) == 1)
    #expect(service.effects(on: 2) == 0)
  }

  @Test func `A write whose answer is lost is done once, however often it is sent`() async throws {
    let service = IdempotentService<Car>()
    let remote = FaultyRepository(
      service, FaultSchedule(.losesAnswer, on: .first(2, ofEvery: 3, .write)))
    let clock = ManualClock()
    let evocation = Evocation(configuration: .init(clock: clock, chance: { 0.5 }))
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(car)
    for _ in 1...3 { _ = await evocation.outbox.flush() }
    #expect(
      service.requests == [
        "store 1 acted", "store 1 repeated", "store 1 repeated",
      ])
    #expect(try await evocation.outbox.status().pending == 0)
  }
}
