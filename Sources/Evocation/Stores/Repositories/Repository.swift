/// Holds models of one type: a remote service, a local store, or anything similar.
///
/// Your type has five methods, and these are two of them:
///
/// ```swift
/// func find(_ criteria: Criteria) async throws -> Response<[Note]> {
///   let notes = try await server.notes(in: criteria["folder"] as? String)
///   return Response(notes, metadata: ["server": "notes-1"])
/// }
///
/// func store(_ notes: [Note]) async throws -> Response<[Note]> {
///   Response(try await server.put(notes))
/// }
/// ```
///
/// ## Execution
///
/// The requirements are `nonisolated(nonsending)`: they run where the caller runs, so that a short
/// call does not change threads. Do long work on an executor of your own. An actor can conform too.
/// Evocation calls reads side by side. It calls writes on one model type one at a time, in the
/// order in which your app made them. When the outbox sends, this applies only to writes on the same
/// model. If the rule has a `timeout`, Evocation calls the target in a new task, on the caller's
/// actor if it is on one. On an actor, the timeout cannot interrupt work that blocks the actor's
/// thread.
///
/// ## Answers
///
/// An empty answer is not an error. For the same criteria, every repository returns the same models
/// in the same order as ``InMemoryRepository``, which is the reference, or refuses the criteria
/// with a permanent error that names what it does not support.
///
/// A service may return fewer models than the limit, although more match. If your repository knows
/// how many match in all, whatever the limit, it says so as `totalCount`, an `Int` in the metadata.
/// Without it, Evocation takes an answer to criteria with a limit for a part, and removes no model
/// from the local store because of it. An empty answer means that nothing matches.
///
/// ## Errors
///
/// An error reaches the caller unchanged, in `error` or `synchronizationError` of the result. A
/// `CancellationError` ends the call, without the fallback.
public protocol Repository<Model>: Sendable {
  /// The type of the models.
  associatedtype Model: Sendable

  /// Returns the models that match, in the order that the criteria ask for.
  func find(_ criteria: Criteria) async throws -> Response<[Model]>

  /// Returns the first model that matches, or nil.
  func findOne(_ criteria: Criteria) async throws -> Response<Model?>

  /// Counts the models that ``find(_:)`` returns.
  ///
  /// The default implementation finds the models. Implement it if counting is less expensive.
  func count(_ criteria: Criteria) async throws -> Int

  /// Checks whether ``find(_:)`` returns any model.
  ///
  /// The default implementation finds one model.
  func exists(_ criteria: Criteria) async throws -> Bool

  /// Adds models: all of them or, if a model with the same id is there, none.
  ///
  /// - Throws: ``EvocationError/alreadyExists(_:)`` with the ids that were there.
  func store(_ models: [Model]) async throws -> Response<[Model]>

  /// Adds one model, or throws if a model with its id is there.
  func storeOne(_ model: Model) async throws -> Response<Model?>

  /// Changes those models that are there, and returns them as they are afterwards.
  func update(_ models: [Model]) async throws -> Response<[Model]>

  /// Changes one model, and returns it as it is afterwards, or nil if it is not there.
  func updateOne(_ model: Model) async throws -> Response<Model?>

  /// Adds the models that are not there, and changes the rest.
  func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes models by their ids, and returns those that it removed.
  func remove(_ models: [Model]) async throws -> Response<[Model]>

  /// Removes one model by its id, and returns it, or nil if it was not there.
  func removeOne(_ model: Model) async throws -> Response<Model?>

  /// Makes the repository hold, for these criteria, exactly `models`.
  ///
  /// Adds or changes `models`, then removes every other model that matches `criteria`. With a limit
  /// that `models` reach, an offset or a cursor, it removes nothing: what else matches is not known.
  /// The default implementation uses the requirements above, and needs `Identifiable` models. A
  /// repository with transactions should do it in one.
  ///
  /// - Returns: The models that it removed.
  func mirror(_ models: [Model], for criteria: Criteria) async throws -> Response<[Model]>

  /// Makes the repository hold, for these criteria, `models` and those of `kept` that it has.
  ///
  /// Evocation calls it if your app wrote models after the mirrored answer was fetched. The default
  /// implementation finds the kept models that match, and mirrors them with the others.
  ///
  /// - Parameters:
  ///   - models: The models to add or change. No kept model is among them.
  ///   - criteria: The criteria of the models that the repository removes if they are in neither
  ///     list. A limit counts `models` alone.
  ///   - kept: Models that are not changed, removed or added. Only their ids count.
  /// - Returns: The models that it removed.
  /// - Throws: What the repository throws.
  func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]>

  /// The name of the store that holds the models, for as long as it holds them; nil for no name.
  ///
  /// If a local repository has a name, only what Evocation fetched into the store of that name
  /// counts as fetched. A store that lost its models, or that of another account, has another name,
  /// so an empty store is never taken for a fresh one. A store on disk saves its name there, such
  /// as a UUID. A store in memory makes a new name. The default is nil: Evocation then takes every
  /// store for the same, except if your app registers another repository while it runs.
  var storeName: String? { get }
}

extension Repository {
  /// Returns the same repository as one of another kind; nil if it is none.
  ///
  /// Casting an `any Repository` would look for a conformance of that type itself, which has none, through
  /// the whole program, for each model ("launch").
  package func role<Role>(_ kind: Role.Type = Role.self) -> Role? { self as? Role }
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

  /// Calls ``findOne(_:)``, and checks whether it found a model.
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
  /// Adds or changes the models, then removes every other model that matches.
  ///
  /// With a limit that the models reach, an offset or a cursor, it removes nothing, because the other
  /// models are not known.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    var answered = try Set(ModelID.each(of: models))
    let written = models.isEmpty ? nil : try await storeOrUpdate(models)
    // A server that assigns the ids returns new models under other ids.
    if let written { answered.formUnion(try ModelID.each(of: written.value)) }
    var removed: [Model] = []
    if criteria.isEnded(by: models.count) {
      let held = try await find(criteria.unlimited).value
      let surplus = try held.selected(byID: { !answered.contains($0) })
      if !surplus.isEmpty { removed = try await remove(surplus).value }
    }
    return Response(removed, metadata: written?.metadata ?? [:])
  }

  /// Finds the kept models that match, and mirrors them with the others.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    guard criteria.isEnded(by: models.count) else {
      return try await mirror(models, for: criteria)
    }
    let all = criteria.unlimited
    let ids = try Set(ModelID.each(of: kept))
    let held = ids.isEmpty ? [] : try await find(all).value.selected(byID: ids.contains)
    return try await mirror(models + held, for: all)
  }
}
