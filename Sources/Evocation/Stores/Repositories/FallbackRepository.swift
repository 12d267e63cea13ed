/// Asks several remote repositories in turn, until one can be reached.
///
/// The first is the primary service, and the others stand in for it:
///
/// ```swift
/// let cars = FallbackRepository([
///   HTTPRepository<Car>(primary, "cars"), HTTPRepository<Car>(secondary, "cars"),
/// ])
/// ```
///
/// ## Which repository is asked
///
/// Each call begins with the first repository.
///
/// - A read goes on to the next one if the service cannot be reached or cannot answer now: the error is
///   ``FailureKind/transient``, or says by ``ClassifiedError/mayHaveArrived`` that nothing was sent. A
///   missing model is an answer.
/// - A write goes on to the next one only if its error says that nothing was sent. Otherwise the error
///   is thrown, so that no write is made twice.
/// - A refusal ends the call with its error, and a cancellation ends it.
///
/// If none of several can be reached, the error is a ``FallbackError``. The trace of a result then has a
/// step for each of them, with its name, and so has that of an answer. The metadata of an answer have
/// that name as `answeredBy`, and the failures before it as `unreachable`, an array of
/// ``FallbackError/Attempt``.
///
/// ## What belongs to one service
///
/// The repositories have to use the same ids: let your app make them, because an id that one service
/// makes means nothing to the others. Versions and change tokens are those of the first repository: what
/// the others say of them is left out, and a write on a version goes to the first one alone. If all of them
/// are addresses of one service, say so by `ofOneService`, and they share both. Lists continue by offset.
///
/// ## What is observed
///
/// Live changes come from the first repository that can be reached when the stream begins. Local
/// observers of repositories that report changes get those of all of them.
public struct FallbackRepository<Model: Sendable>: Repository {
  let members: [any Repository<Model>]
  let isOneService: Bool

  /// Creates a repository of several.
  ///
  /// - Parameters:
  ///   - repositories: The repositories in the order in which they are asked. Without any, each call
  ///     fails with ``EvocationError/missingRepository(_:model:)``.
  ///   - isOneService: Whether all of them are the same service, so that versions and change tokens of
  ///     one are valid at the others.
  public init(_ repositories: [any Repository<Model>], ofOneService isOneService: Bool = false) {
    members = repositories
    self.isOneService = isOneService
  }

  /// Finds the models that match.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await read { try await $0.find(criteria) }
  }

  /// Finds the first model that matches.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await read { try await $0.findOne(criteria) }
  }

  /// Counts the models that match.
  public func count(_ criteria: Criteria) async throws -> Int {
    try await counted(criteria).value
  }

  /// Checks whether any model matches.
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try await anyExists(criteria).value
  }

  /// Adds models.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await write { try await $0.store(models) }
  }

  /// Adds one model.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await write { try await $0.storeOne(model) }
  }

  /// Changes the models that are there.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await write { try await $0.update(models) }
  }

  /// Changes one model, if it is there.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await write { try await $0.updateOne(model) }
  }

  /// Adds or changes models.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await write { try await $0.storeOrUpdate(models) }
  }

  /// Removes models.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await write { try await $0.remove(models) }
  }

  /// Removes one model.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await write { try await $0.removeOne(model) }
  }

  /// Makes one repository hold exactly the models for these criteria.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await write { try await $0.mirror(models, for: criteria) }
  }

  /// Makes one repository hold the models, and those that stay, for these criteria.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await write { try await $0.mirror(models, for: criteria, keeping: kept) }
  }
}
