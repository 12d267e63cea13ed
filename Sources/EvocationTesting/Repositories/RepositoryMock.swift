public import Evocation

/// A repository that answers with your test's closure, and records its calls.
///
/// ```swift
/// let remote = RepositoryMock<Car> { call in
///   guard case .find = call else { throw Offline() }
///   return [car]
/// }
/// ```
///
/// The closure may throw, or wait at a ``Gate``. Safe to use from any thread. `count(_:)` arrives as
/// `find(_:)`, and `exists(_:)` as `findOne(_:)`. Each other method of `Repository` is a call of its
/// own.
public final class RepositoryMock<Model: Sendable>: Repository {
  private let script: @Sendable (RepositoryCall<Model>) async throws -> Response<[Model]>
  private let recorded = Lock<[RepositoryCall<Model>]>([])
  let live = Lock(LiveStreams())
  let streams = Gate.Counter()

  /// Whether your app is to follow what the mock sends automatically.
  public let sendsLiveChanges: Bool

  /// Whether each of its streams begins with an element that says that the connection stands.
  public let announcesConnection: Bool

  /// Creates a mock.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of each answer.
  ///   - sendsLiveChanges: Whether your app is to follow what your test sends by ``send(_:)``.
  ///   - announcesConnection: Whether your test sends an element first to say that the connection
  ///     stands.
  ///   - script: Answers each call. A call on one model returns the first of the models.
  public init(
    metadata: [String: any Sendable] = [:], sendsLiveChanges: Bool = false,
    announcesConnection: Bool = false,
    _ script: @escaping @Sendable (RepositoryCall<Model>) async throws -> [Model]
  ) {
    self.sendsLiveChanges = sendsLiveChanges
    self.announcesConnection = announcesConnection
    self.script = { Response(try await script($0), metadata: metadata) }
  }

  /// The calls so far, in order.
  public var calls: [RepositoryCall<Model>] { recorded.withLock { $0 } }

  /// Runs the closure.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await play(.find(criteria))
  }

  /// Runs the closure.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await play(.findOne(criteria)).first
  }

  /// Runs the closure.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.store(models))
  }

  /// Runs the closure.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.storeOne(model)).first
  }

  /// Runs the closure.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.update(models))
  }

  /// Runs the closure.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.updateOne(model)).first
  }

  /// Runs the closure.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.storeOrUpdate(models))
  }

  /// Runs the closure.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.remove(models))
  }

  /// Runs the closure.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.removeOne(model)).first
  }

  /// Runs the closure.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await play(.mirror(models, criteria))
  }

  private func play(_ call: RepositoryCall<Model>) async throws -> Response<[Model]> {
    recorded.withLock { $0.append(call) }
    return try await script(call)
  }
}
