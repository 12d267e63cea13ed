import Evocation

/// A repository of cars that immediately returns its car, or the cars of a write.
struct CarRepository: Repository {
  let held = [Car(id: 1)]

  func find(_ criteria: Criteria) async throws -> Response<[Car]> { Response(held) }
  func findOne(_ criteria: Criteria) async throws -> Response<Car?> { Response(held.first) }
  func store(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func storeOne(_ model: Car) async throws -> Response<Car?> { Response(model) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
}
