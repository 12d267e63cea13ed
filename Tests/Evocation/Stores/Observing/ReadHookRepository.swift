import Evocation
import TestSupport

@testable import CoreSupport

/// A repository in memory whose reads are the test's, and that tells what it is told to tell.
final class ReadHookRepository: ForwardingRepository, ObservableRepository {
  typealias Read =
    @Sendable (Criteria, InMemoryRepository<Car>) async throws -> RepositorySnapshot<Car>

  let base = InMemoryRepository<Car>()
  private let read: Read
  private let handlers = Lock<[@Sendable (RepositoryChange<Car>) -> Void]>([])

  init(_ read: @escaping Read) { self.read = read }

  func tell(_ change: RepositoryChange<Car>) {
    for handler in handlers.withLock({ $0 }) { handler(change) }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    Response(try await snapshot(criteria).models)
  }

  func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Car> {
    try await read(criteria, base)
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    handlers.withLock { $0.append(handler) }
    return base.observeChanges(handler)
  }
}
