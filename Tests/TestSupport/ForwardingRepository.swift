package import Evocation

/// A repository of a test that asks another one, but where it says what it does otherwise.
///
/// It forwards what every repository has to have and nothing else: it takes the defaults of the other
/// calls, and tells no changes and keeps no ledger, whatever the one underneath can do.
package protocol ForwardingRepository<Base>: Repository where Model == Base.Model {
  associatedtype Base: Repository

  /// The repository underneath.
  var base: Base { get }
}

extension ForwardingRepository {
  package func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await base.find(criteria)
  }

  package func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await base.store(models)
  }

  package func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await base.update(models)
  }

  package func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await base.storeOrUpdate(models)
  }

  package func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await base.remove(models)
  }
}
