import Evocation
import Testing

/// A service that keeps a log of what changed, as far as the sample needs one.
private struct LoggedService: Repository {
  struct Page: Sendable {
    var cars: [Car]
    var removedIDs: [Int] = []
    var mark: String
    var isWhole = false
  }

  static let cars = (1...3).map { Car(id: $0, name: "datsun", origin: "Japan", year: 1980) }

  let cars = InMemoryRepository(LoggedService.cars)

  func log(of criteria: Criteria, since mark: String?) async throws -> Page {
    guard mark == "1" else {
      return Page(cars: try await cars.find(criteria).value, mark: "1", isWhole: true)
    }
    return Page(
      cars: [Car(id: 4, name: "mazda", origin: "Japan", year: 1980)], removedIDs: [1], mark: "2")
  }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> { try await cars.find(criteria) }
  func store(_ models: [Car]) async throws -> Response<[Car]> { try await cars.store(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { try await cars.update(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    try await cars.storeOrUpdate(models)
  }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { try await cars.remove(models) }
}

extension LoggedService: ChangesRepository {
  func changes(_ criteria: Criteria, since mark: String?) async throws -> Response<Changes<Car>?> {
    let page = try await log(of: criteria, since: mark)
    return Response(
      Changes(page.cars, removed: page.removedIDs, mark: page.mark, isWhole: page.isWhole))
  }
}

@Suite struct ChangesSampleTests {
  @Test func `a refresh of a service with a log asks for what changed`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: LoggedService())
      .repository(local: InMemoryRepository<Car>())
    let cars = evocation.cache(Car.self)
    cars.requirements = ["year": 1980]
    #expect(try await cars.value().map(\.id) == [1, 2, 3])
    #expect(try await cars.refresh(force: true) == .successful)
    #expect(try await cars.value(from: .cache).map(\.id) == [2, 3, 4])
  }
}
