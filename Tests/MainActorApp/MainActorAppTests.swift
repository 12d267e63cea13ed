import Evocation
import EvocationTesting
import TestTraits
import Testing

nonisolated struct Car: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var origin: String
}

/// A repository of an app's own needs no word about isolation.
struct Shelf: Repository {
  let cars: InMemoryRepository<Car>

  func find(_ criteria: Criteria) async throws -> Response<[Car]> { try await cars.find(criteria) }
  func store(_ models: [Car]) async throws -> Response<[Car]> { try await cars.store(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { try await cars.update(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    try await cars.storeOrUpdate(models)
  }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { try await cars.remove(models) }
}

/// A screen as an app has it, on the main actor without saying so.
final class Screen {
  let evocation: Evocation
  let cars: ObservedModels<Car>
  let cache: CacheRepository<ProxyCacheDataSource<Car>>

  init(_ evocation: Evocation) {
    self.evocation = evocation
    cars = ObservedModels(Car.self, where: \.origin == "Japan", in: evocation)
    cache = evocation.cache(Car.self)
  }

  func first() async -> CacheState<[Car]>? {
    cache.requirements = ["origin": "Japan"]
    var states = cache.observe().makeAsyncIterator()
    return await states.next()
  }
}

/// What an app writes whose default isolation is the main actor, as that of this module is.
@Suite(.patient) struct MainActorAppTests {
  private let car = Car(id: 1, origin: "Japan")

  @Test func `A model that is not of the main actor is stored, found, cached and observed`()
    async throws
  {
    let evocation = Evocation()
    evocation.register(for: Car.self)
      .repository(remote: Shelf(cars: InMemoryRepository([car])))
      .repository(local: InMemoryRepository<Car>())
    #expect(await evocation.find(model: Car.self).data == [car])
    let screen = Screen(evocation)
    #expect(await screen.first() != nil)
    #expect(try await screen.cache.value() == [car])
    let mock = RepositoryMock<Car> { [car] _ in [car] }
    #expect(try await mock.find(Criteria()).value == [car])
  }
}
