import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct ResultDescriptionTests {
  private struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private func evocation(
    _ remote: some Repository<Car>, _ local: some Repository<Car>, _ strategy: Strategy
  ) -> Evocation {
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
    evocation.outbox.pause()
    return evocation
  }

  @Test func `a printed result says how much it has, and from where`() async {
    let cars = InMemoryRepository([Car(id: 1), Car(id: 2)])
    let app = evocation(cars, InMemoryRepository<Car>(), .remoteFirst)
    #expect("\(await app.find(model: Car.self))" == "find Car: 2 models from remote")
    #expect("\(await app.findOne(model: Car.self))" == "findOne Car: 1 model from remote")
    #expect("\(await app.count(model: Car.self))" == "count Car: 2 from remote")
    #expect("\(await app.exists(model: Car.self))" == "exists Car: true from remote")
    let none = await app.findOne(model: Car.self, criteria: ["id": 9])
    #expect("\(none)" == "findOne Car: no data from remote")
    #expect("\(await app.storeOne(Car(id: 3)))" == "storeOne Car: 1 model from remote")
  }

  @Test func `it says its errors, in one line, and nothing of a model`() async {
    let failing = RepositoryMock<Car> { _ in throw Broken(description: "no\nline") }
    let local = InMemoryRepository((1...3).map { Car(id: $0, model: "Secret") })
    let result = await evocation(failing, local, .remoteFirst).find(model: Car.self)
    print(result)  // find Car: 3 models from local, the fallback
    #expect("\(result)" == "find Car: 3 models from local, the fallback")
    #expect(
      "\(await evocation(failing, local, .remoteOnly).find(model: Car.self))"
        == "find Car: no data; error: no line")
    #expect(
      "\(await evocation(local, failing, .remoteFirst).find(model: Car.self))"
        == "find Car: 3 models from remote; synchronizationError: no line")
  }

  @Test func `it says that a write is sent later`() async {
    let app = evocation(InMemoryRepository<Car>(), InMemoryRepository<Car>(), .offlineFirst)
    #expect(
      "\(await app.storeOne(Car(id: 3)))"
        == "storeOne Car: 1 model from local; the outbox sends it to remote")
  }

  @Test func `the result of a repository with callbacks names no call`() {
    #expect("\(Evocation.Result(data: [Car(id: 1)]))" == "1 model")
    #expect("\(Evocation.Result<Car>(error: EvocationError.noData))".hasPrefix("no data; error: "))
  }
}
