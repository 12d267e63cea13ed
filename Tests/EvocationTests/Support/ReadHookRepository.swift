import Evocation

/// A repository in memory whose reads are the test's, and that tells what it is told to tell.
final class ReadHookRepository: ObservableRepository {
  typealias Read =
    @Sendable (Criteria, InMemoryRepository<Car>) async throws -> Response<[Car]>

  private let read: Read
  private let cars = InMemoryRepository<Car>()
  private let handlers = Lock<[@Sendable (RepositoryChange<Car>) -> Void]>([])

  init(_ read: @escaping Read) { self.read = read }

  func tell(_ change: RepositoryChange<Car>) {
    for handler in handlers.withLock({ $0 }) { handler(change) }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    try await read(criteria, cars)
  }
  func store(_ models: [Car]) async throws -> Response<[Car]> { try await cars.store(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { try await cars.update(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    try await cars.storeOrUpdate(models)
  }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { try await cars.remove(models) }
  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    handlers.withLock { $0.append(handler) }
    return cars.observeChanges(handler)
  }
}
