/// Holds models of one type: a remote service, a local store, or anything similar.
///
/// ## Execution
///
/// The requirements are `nonisolated(nonsending)`: they run where the caller runs, so that a short
/// call does not change threads. A repository should do long work on its own executor. An actor can
/// conform too. Reads are called side by side; writes on one model type are called one at a time,
/// in the order in which the app made them. Under a rule with a `timeout` the target is called in a
/// new task, on the caller's actor if it is on one: there the timeout cannot interrupt work that
/// blocks the actor's thread.
///
/// ## Answers
///
/// An empty answer is not an error. For the same criteria every repository gives the same models in
/// the same order as ``InMemoryRepository``, which is the reference, or refuses the criteria with a
/// permanent error that names what it does not support.
///
/// ## Errors
///
/// An error reaches the caller untouched, in `error` or `synchronizationError` of the result. A
/// `CancellationError` ends the call, and the fallback is not asked.
public protocol Repository<Model>: Sendable {
  /// What the repository holds.
  associatedtype Model: Sendable

  /// Gives the models that match, in the order that the criteria ask for.
  func find(_ criteria: Criteria) async throws -> Response<[Model]>

  /// Gives the first model that matches, or nil.
  func findOne(_ criteria: Criteria) async throws -> Response<Model?>

  /// Counts what ``find(_:)`` gives.
  ///
  /// The default implementation finds the models; implement it where counting is cheaper.
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

  /// Changes those models that are there, and gives them as they are then.
  func update(_ models: [Model]) async throws -> Response<[Model]>

  /// Changes one model, and gives it as it is then, or nil when it is not there.
  func updateOne(_ model: Model) async throws -> Response<Model?>

  /// Adds those models that are not there, and changes the others.
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes models by their ids, and gives those that it removed.
  func remove(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes one model by its id, and gives it, or nil when it was not there.
  func removeOne(_ model: Model) async throws -> Response<Model?>

  /// Makes the repository hold, for these criteria, exactly `models`.
  ///
  /// Adds or changes `models`, then removes what matches `criteria` and is not among them. The
  /// default implementation uses the requirements above, and needs models that are `Identifiable`;
  /// a repository with transactions should do it in one.
  ///
  /// - Returns: The models that it removed.
  func mirror(_ models: [Model], for criteria: Criteria) async throws -> Response<[Model]>

  /// Makes the repository hold, for these criteria, `models` and those of `kept` that it has.
  ///
  /// It is called when the app wrote models after the answer that is mirrored was fetched. The
  /// default implementation finds the kept models that match, and mirrors them with the others;
  /// with a limit it may leave models that should be removed.
  ///
  /// - Parameters:
  ///   - models: The models to add or change; no kept one is among them.
  ///   - criteria: What the repository holds nothing else for afterwards. A limit counts `models`
  ///     alone.
  ///   - kept: Models that are neither changed nor removed, nor added; only their ids count.
  /// - Returns: The models that it removed.
  /// - Throws: What the repository throws.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]>

  /// The name of the store that holds the models, for as long as it holds them; nil for none.
  ///
  /// Of a local repository with a name, only what was fetched into the store of that name counts as
  /// fetched: a store that lost its models, or that of another account, has another name, and is never
  /// taken for an empty one that is fresh. A store on a disk keeps its name there, such as a UUID;
  /// what lives in memory makes a new one. The default is nil: every store is taken for the same, but
  /// where your app registers another while it runs.
  var storeName: String? { get }
}

extension Repository {
  /// Nil: the store has no name.
  public var storeName: String? { nil }

  /// Calls ``find(_:)`` for one model.
  @inlinable
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await find(criteria.limit(1)).first
  }

  /// Calls ``find(_:)``, and counts the models.
  @inlinable
  public func count(_ criteria: Criteria) async throws -> Int {
    try await find(criteria).value.count
  }

  /// Calls ``findOne(_:)``.
  @inlinable
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try await findOne(criteria).value != nil
  }

  /// Calls ``store(_:)`` with one model.
  @inlinable
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await store([model]).first
  }

  /// Calls ``update(_:)`` with one model.
  @inlinable
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await update([model]).first
  }

  /// Calls ``remove(_:)`` with one model.
  @inlinable
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await remove([model]).first
  }
}

extension Repository {
  /// Adds or changes the models, then removes what matches and is not among them.
  ///
  /// With a limit, only models within the first page are removed, again and again until that page
  /// has these models alone. With an offset nothing is removed, because the models before the page
  /// are not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    var answered = try Set(ModelID.each(of: models))
    let written = models.isEmpty ? nil : try await storeOrUpdate(models)
    // A service that gives the ids itself has new models under others.
    if let written { answered.formUnion(try ModelID.each(of: written.value)) }
    guard criteria.offset == 0 else { return Response([]) }
    var removed: [Model] = []
    while true {
      let held = try await find(criteria).value
      let surplus = try held.selected(byID: { !answered.contains($0) })
      if surplus.isEmpty { break }
      let gone = try await remove(surplus).value
      removed += gone
      if gone.isEmpty || criteria.limit == nil { break }
    }
    return Response(removed, metadata: written?.metadata ?? [:])
  }

  /// Finds the kept models that match, and mirrors them with the others.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await mirror(models + present(kept, for: criteria), for: criteria)
  }

  /// The present versions of those models that mirroring the criteria could remove.
  func present(_ models: [Model], for criteria: Criteria) async throws -> [Model] {
    guard criteria.offset == 0, criteria.limit.map({ $0 > 0 }) ?? true else { return [] }
    let ids = try Set(ModelID.each(of: models))
    return try await find(Criteria(criteria.predicate)).value.selected(byID: ids.contains)
  }
}
