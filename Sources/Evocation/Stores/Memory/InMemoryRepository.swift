internal import Foundation

/// Holds models in memory, as long as the repository lives.
///
/// It needs no setup, and can be a local repository. Its answers are the reference for those of
/// every repository. The ``Outbox`` works with it too. The entries that are unsent when the process
/// ends are lost with the models, which the trace of each queued write says.
///
/// ```swift
/// let cars = InMemoryRepository([car])
/// let japanese = try await cars.find(["origin": "Japan"]).value
/// ```
///
/// - It compares ids as ``Criteria`` compares values, not by the `==` of their type.
/// - Finding all models, or one by its id, does not encode models. For other criteria, it encodes
///   each model once, as long as the model is stored.
/// - No call suspends or leaves the caller's thread. In a canceled task, a call does nothing and
///   throws `CancellationError`.
/// - An update counts as a change even if the model is equal to the one before. A call that touched
///   no model does not.
public final class InMemoryRepository<Model: Codable & Identifiable & Sendable>:
  ObservableRepository, PlainlyPrinted, KeyedRepository, InspectedLocal, TransactionalRepository,
  OutboxStore, InMemoryQueueing
{
  typealias Entry = StoredModel<Model>

  struct Shared {
    var models = InMemoryState<Model>()
    /// The number of commits that have changed something.
    var version: UInt64 = 0
  }

  let shared: Lock<Shared>

  private let observers = Broadcast<RepositoryChange<Model>>()

  /// The repository's own store of entries, until it shares one with other repositories.
  let home = InMemoryStore()

  /// The name of the store, a new one for each repository, because its models are its own.
  public let storeName: String?

  let identity: ModelIdentity

  /// Creates a repository that holds these models.
  ///
  /// If several have the same id, it holds the last.
  public init(_ models: [Model] = []) {
    storeName = UUID().uuidString
    let identity = ModelIdentity.of(Model.self)
    self.identity = identity
    var first = Shared()
    let entries = models.map { Entry($0, id: ModelID(of: $0, identity)) }
    first.models.put(entries.lastOfEach { $0.id })
    shared = Lock(first)
  }

  /// Returns the models that match, in the order that the criteria ask for.
  ///
  /// - Throws: ``EvocationError/unknownKey(_:model:nearest:)`` or
  ///   ``EvocationError/incomparableValue(key:reason:)`` for criteria that do not fit the model;
  ///   `CancellationError` in a canceled task.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try Cancellation.check()
    return Response(whole: try selected(criteria).entries.map { $0.model }, for: criteria)
  }

  /// Returns the models that match, and the version of the state that was read.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    try Cancellation.check()
    let (entries, version) = try selected(criteria)
    return RepositorySnapshot(entries.map { $0.model }, version: version)
  }

  /// Returns the first model that matches, or nil.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try Cancellation.check()
    return Response(try first(criteria)?.model)
  }

  /// Counts the models that match.
  public func count(_ criteria: Criteria) async throws -> Int {
    try Cancellation.check()
    return try selected(criteria).entries.count
  }

  /// Checks whether a model matches.
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try Cancellation.check()
    return try first(criteria) != nil
  }

  /// Adds models: all of them or, if an id exists already or occurs twice, none.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try Cancellation.check()
    let entries = entries(models)
    try commit { state throws(EvocationError) in
      try state.checkNew(entries)
      return state.put(entries)
    }
    return Response(models)
  }

  /// Changes those models that exist, and returns them.
  ///
  /// If several have the same id, the last counts.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try Cancellation.check()
    let entries = entries(models).lastOfEach { $0.id }
    let updated = commit { state in
      let held = entries.filter { state[$0.id] != nil }
      return state.put(held)
    }.updated
    return Response(updated.map(\.after))
  }

  /// Adds or changes models, and returns them.
  ///
  /// If several have the same id, the last counts.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try Cancellation.check()
    let entries = entries(models).lastOfEach { $0.id }
    commit { state in state.put(entries) }
    return Response(entries.map { $0.model })
  }

  /// Removes models by their ids, and returns the removed ones as they last were.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try Cancellation.check()
    let ids = entries(models).map { $0.id }
    let removed = commit { state in
      StoreChanges(removed: state.remove(ids).map { $0.model })
    }.removed
    return Response(removed)
  }

  /// Calls the handler after each commit, in the order of the commits.
  ///
  /// The handler runs on the thread that wrote, before the write returns. It must not wait for
  /// another write, because that write would wait for it. It may end the observation.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    observers.observe(handler)
  }
}

extension InMemoryRepository {
  var present: (state: InMemoryState<Model>, version: UInt64) {
    shared.withLock { ($0.models, $0.version) }
  }

  func entry(_ id: ModelID) -> (Entry?, version: UInt64) {
    shared.withLock { ($0.models[id], $0.version) }
  }

  /// The present store of the entries.
  var store: InMemoryStore { home.present }

  /// Runs `body` while no other write to the store runs.
  func exclusively<Value, Failure: Error>(
    _ body: (InMemoryStore) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    while true {
      let store = store
      let value = try store.writing.withLock { (_) throws(Failure) -> Value? in
        // Another store may have taken over its entries before this write's turn.
        store === self.store ? try body(store) : nil
      }
      if let value { return value }
    }
  }

  func entry(of model: Model) -> Entry {
    Entry(model, id: ModelID(of: model, identity))
  }

  func entries(_ models: [Model]) -> [Entry] { models.map(entry) }

  /// Changes the models in place, then reports the change to observers.
  @discardableResult
  func commit<Failure: Error>(
    _ change: (inout InMemoryState<Model>) throws(Failure) -> StoreChanges<Model>
  ) throws(Failure) -> StoreChanges<Model> {
    try exclusively { (_) throws(Failure) in
      let (changes, version) = try shared.withLock { (shared) throws(Failure) in
        let changes = try change(&shared.models)
        if !changes.isEmpty { shared.version += 1 }
        return (changes, shared.version)
      }
      tell(changes, version)
      return changes
    }
  }

  /// Reports the changes of a commit while its store is still locked for other writes.
  func tell(_ changes: StoreChanges<Model>, _ version: UInt64) {
    guard observers.isObserved, let change = changes.asRepositoryChange(version: version)
    else { return }
    observers.tell(change)
  }
}
