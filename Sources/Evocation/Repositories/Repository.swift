/// A place that holds models of one type: a remote service, a local store, or anything alike.
///
/// ## Execution
///
/// The requirements are `nonisolated(nonsending)`: they run where the caller runs, so that a call
/// that needs no other thread takes none. Work that may be long belongs on an executor of the
/// repository's own. An actor can conform too. Reads are called side by side; writes on one model
/// type are called one at a time, in the order in which the app made them. Under a rule with a
/// `timeout` the target is asked in a task of its own, on the caller's actor if it is on one: work
/// that keeps an actor's thread cannot be overtaken by the time limit there.
///
/// ## Answers
///
/// An empty answer is not an error. Every repository gives the same models in the same order for
/// the same criteria as ``InMemoryRepository``, which is the reference, or refuses the criteria with a
/// permanent error that names what it cannot say.
///
/// ## Errors
///
/// Whatever is thrown reaches the caller untouched, in `error` or `synchronizationError` of the
/// result. A `CancellationError` ends the call and is never answered by a fallback.
public protocol Repository<Model>: Sendable {
  /// What the repository holds.
  associatedtype Model: Sendable

  /// Gives the models that match, in the order that the criteria ask for.
  func find(_ criteria: Criteria) async throws -> Response<[Model]>

  /// Gives the first model that matches, or nil.
  func findOne(_ criteria: Criteria) async throws -> Response<Model?>

  /// Counts what ``find(_:)`` gives.
  ///
  /// The default implementation finds the models; a repository that can count without is asked to.
  func count(_ criteria: Criteria) async throws -> Int

  /// Says whether ``find(_:)`` gives anything.
  ///
  /// The default implementation finds one model.
  func exists(_ criteria: Criteria) async throws -> Bool

  /// Adds models: all of them or, when one with the same id is there, none.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` with the ids that were there.
  func store(_ models: [Model]) async throws -> Response<[Model]>

  /// Adds one model, or throws when one with its id is there.
  func storeOne(_ model: Model) async throws -> Response<Model?>

  /// Changes the models that are there, and gives those, as they now are.
  func update(_ models: [Model]) async throws -> Response<[Model]>

  /// Changes one model, and gives it as it now is, or nil when it is not there.
  func updateOne(_ model: Model) async throws -> Response<Model?>

  /// Adds those models that are not there, and changes the others.
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes models by their ids, and gives those that it removed.
  func remove(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes one model by its id, and gives it, or nil when it was not there.
  func removeOne(_ model: Model) async throws -> Response<Model?>

  /// Makes the repository hold, for these criteria, exactly `models`.
  ///
  /// Adds or changes `models`, then removes what matches `criteria` and is not among them.
  /// The default implementation does so with the requirements above, and needs models that are
  /// `Identifiable`; a repository with transactions does it in one.
  ///
  /// - Returns: The models that it removed.
  func mirror(_ models: [Model], for criteria: Criteria) async throws -> Response<[Model]>

  /// Makes the repository hold, for these criteria, `models` and what it has of others.
  ///
  /// It is asked where the app wrote some models after the answer that is mirrored was fetched.
  /// The default implementation finds those that match, and mirrors them with the others; behind a
  /// page it may leave what should go.
  ///
  /// - Parameters:
  ///   - models: What is added or changed; none of those to be kept is among them.
  ///   - criteria: What is to hold nothing else afterwards. A limit counts `models` alone.
  ///   - kept: What is neither changed nor removed, and is not added; only its ids count.
  /// - Returns: The models that it removed.
  /// - Throws: What the repository throws.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]>
}
