public import Evocation

/// A repository that answers by a test's script, and records its calls.
///
/// ```swift
/// let remote = RepositoryMock<Car> { call in
///   guard case .find = call else { throw Offline() }
///   return [car]
/// }
/// ```
///
/// Safe to use from any thread. Every method of `Repository` reaches the script as a call of its
/// own, but `count(_:)` and `exists(_:)`: these reach it as `find(_:)` and `findOne(_:)`, and count
/// what it gives.
public final class RepositoryMock<Model: Sendable>: Repository {
  /// A call with what it was given.
  public enum Call: Sendable {
    /// `find(_:)`.
    case find(Criteria)
    /// `findOne(_:)`.
    case findOne(Criteria)
    /// `store(_:)`.
    case store([Model])
    /// `storeOne(_:)`.
    case storeOne(Model)
    /// `update(_:)`.
    case update([Model])
    /// `updateOne(_:)`.
    case updateOne(Model)
    /// `storeOrUpdate(_:)`.
    case storeOrUpdate([Model])
    /// `remove(_:)`.
    case remove([Model])
    /// `removeOne(_:)`.
    case removeOne(Model)
    /// `mirror(_:for:)`.
    case mirror([Model], Criteria)
  }

  private let script: @Sendable (Call) async throws -> Response<[Model]>
  private let recorded = Lock<[Call]>([])

  /// Makes a mock with a script; what it returns is the answer, or the first of it for one model.
  ///
  /// - Parameters:
  ///   - metadata: What each answer has beside its models.
  ///   - script: Answers or throws; it may wait, for a ``Gate`` for example.
  public init(
    metadata: [String: any Sendable] = [:],
    _ script: @escaping @Sendable (Call) async throws -> [Model]
  ) {
    self.script = { Response(try await script($0), metadata: metadata) }
  }

  /// The calls so far, in order.
  public var calls: [Call] { recorded.withLock { $0 } }

  /// Runs the script.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    try await play(.find(criteria))
  }

  /// Runs the script.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    try await play(.findOne(criteria)).first
  }

  /// Runs the script.
  public func store(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.store(models))
  }

  /// Runs the script.
  public func storeOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.storeOne(model)).first
  }

  /// Runs the script.
  public func update(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.update(models))
  }

  /// Runs the script.
  public func updateOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.updateOne(model)).first
  }

  /// Runs the script.
  public func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.storeOrUpdate(models))
  }

  /// Runs the script.
  public func remove(_ models: [Model]) async throws -> Response<[Model]> {
    try await play(.remove(models))
  }

  /// Runs the script.
  public func removeOne(_ model: Model) async throws -> Response<Model?> {
    try await play(.removeOne(model)).first
  }

  /// Runs the script.
  public func mirror(
    _ models: [Model], for criteria: Criteria
  ) async throws -> Response<[Model]> {
    try await play(.mirror(models, criteria))
  }

  private func play(_ call: Call) async throws -> Response<[Model]> {
    recorded.withLock { $0.append(call) }
    return try await script(call)
  }
}

extension RepositoryMock.Call: CustomStringConvertible {
  /// The method's name.
  public var description: String {
    switch self {
    case .find: "find"
    case .findOne: "findOne"
    case .store: "store"
    case .storeOne: "storeOne"
    case .update: "update"
    case .updateOne: "updateOne"
    case .storeOrUpdate: "storeOrUpdate"
    case .remove: "remove"
    case .removeOne: "removeOne"
    case .mirror: "mirror"
    }
  }
}
