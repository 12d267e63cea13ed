/// Wraps a repository, so that each call goes through an interceptor.
///
/// ```swift
/// let cars = InterceptedRepository(HTTPRepository<Car>(service, "cars"), by: Announcing())
/// try evocation.register(Car.self, remote: cars, local: store, strategy: .offlineFirst)
/// ```
///
/// A wrapped `HTTPRepository` loses nothing: its pages, changes, live changes, versions, parameters,
/// batches and limits are used as if it were not wrapped, and whatever asks the service for models or
/// writes them goes through the interceptor. The same applies to an interceptor around another one.
/// Of a local repository, observing and transactions remain. It has no outbox, so a rule that queues
/// refuses it with ``EvocationError/outboxUnavailable(model:action:)``.
///
/// There is no method to override, because Evocation reads in other ways than by ``find(_:)`` too, past
/// which such a method would be silently passed over. A repository that answers otherwise is a type of
/// your own that conforms to ``Repository``. It is asked for what it implements, and for nothing that a
/// repository inside it could do besides.
public struct InterceptedRepository<Wrapped: Repository, Interceptor: RepositoryInterceptor>:
  Repository
{
  /// The model type of the wrapped repository.
  public typealias Model = Wrapped.Model

  /// The repository that performs the calls.
  public let wrapped: Wrapped

  /// The interceptor that sees the calls.
  public let interceptor: Interceptor

  /// Wraps a repository.
  public init(_ wrapped: Wrapped, by interceptor: Interceptor) {
    self.wrapped = wrapped
    self.interceptor = interceptor
  }

  /// The name of the wrapped repository's store.
  public var storeName: String? { wrapped.storeName }

  /// Finds the models that match.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await read(.find, criteria) { try await wrapped.find($0) }
  }

  /// Finds the first model that matches.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await read(.findOne, criteria) { try await wrapped.findOne($0) }
  }

  /// Counts the models that match.
  public func count(_ criteria: Criteria) async throws -> Int {
    try await read(.count, criteria) { try await wrapped.count($0) }
  }

  /// Checks whether any model matches.
  public func exists(_ criteria: Criteria) async throws -> Bool {
    try await read(.exists, criteria) { try await wrapped.exists($0) }
  }

  /// Adds models.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.store, models) { try await wrapped.store($0) }
  }

  /// Adds one model.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await write(.storeOne, model) { try await wrapped.storeOne($0) }
  }

  /// Changes the models that are there.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.update, models) { try await wrapped.update($0) }
  }

  /// Changes one model, if it is there.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await write(.updateOne, model) { try await wrapped.updateOne($0) }
  }

  /// Adds or changes models.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.storeOrUpdate, models) { try await wrapped.storeOrUpdate($0) }
  }

  /// Removes models.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await write(.remove, models) { try await wrapped.remove($0) }
  }

  /// Removes one model.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await write(.removeOne, model) { try await wrapped.removeOne($0) }
  }

  /// Makes the repository hold exactly the models for these criteria.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await interceptor.perform(
      InterceptedCall<Model>(.mirror, criteria: criteria, models: models)
    ) { try await wrapped.mirror($0.models, for: $0.criteria) }
  }

  /// Makes the repository hold the models, and those that stay, for these criteria.
  public func mirror(
    _ models: [Model], for criteria: Criteria, keeping kept: [Model]
  ) async throws -> Response<[Model]> {
    try await interceptor.perform(
      InterceptedCall<Model>(.mirror, criteria: criteria, models: models)
    ) { try await wrapped.mirror($0.models, for: $0.criteria, keeping: kept) }
  }
}

extension InterceptedRepository: ObservableRepository where Wrapped: ObservableRepository {
  /// Observes the wrapped repository.
  public func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Model>) -> Void
  ) -> Evocation.Observation {
    wrapped.observeChanges(handler)
  }

  /// Returns the models that match, and the version of the state that they were read from.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    try await read(.snapshot, criteria) { try await wrapped.snapshot($0) }
  }
}

extension InterceptedRepository: TransactionalRepository where Wrapped: TransactionalRepository {
  /// The ledger of the wrapped repository.
  public var fetchLedger: (any FetchLedger)? { wrapped.fetchLedger }

  /// Makes all changes of a write, or none.
  public func commit(_ write: StoreWrite<Model>) async throws -> StoreCommit<Model> {
    try await interceptor.perform(InterceptedCall<Model>(.commit)) { _ in
      try await wrapped.commit(write)
    }
  }
}

extension InterceptedRepository: ChangesRepository where Wrapped: ChangesRepository {
  /// Whether the wrapped repository lists changes.
  public var listsChanges: Bool { wrapped.listsChanges }

  /// Returns what changed and what was removed since a mark.
  public func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<Model>?> {
    try await read(.changes, criteria) { try await wrapped.changes($0, since: mark) }
  }
}

extension InterceptedRepository: LiveRepository where Wrapped: LiveRepository {
  /// Whether the wrapped repository's service sends changes.
  public var sendsLiveChanges: Bool { wrapped.sendsLiveChanges }

  /// Whether each stream begins with an element as soon as the connection stands.
  public var announcesConnection: Bool { wrapped.announcesConnection }

  /// Returns what changes from now on.
  ///
  /// The interceptor sees the call when the stream is first read. If it fails the call, the stream
  /// ends with its error.
  public func liveChanges(
    since mark: String?
  ) -> AsyncThrowingStream<RemoteChanges<Model>, any Error> {
    let opened = Lock<AsyncThrowingStream<RemoteChanges<Model>, any Error>?>(nil)
    return AsyncThrowingStream {
      if opened.withLock({ $0 == nil }) {
        let stream = try await self.read(.liveChanges, Criteria()) { _ in
          self.wrapped.liveChanges(since: mark)
        }
        opened.withLock { $0 = stream }
      }
      var iterator = opened.withLock { $0 }?.makeAsyncIterator()
      return try await iterator?.next()
    }
  }
}
