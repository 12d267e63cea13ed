/// Sees each call of a repository, and decides what becomes of it.
///
/// A type that conforms has one function, through which all calls go: it logs them, delays them,
/// refuses them, or changes what they ask for.
///
/// ```swift
/// struct Announcing: RepositoryInterceptor {
///   func perform<Model: Sendable, Value: Sendable>(
///     _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
///   ) async throws -> Value {
///     print("\(call.kind) of \(Model.self)")
///     return try await body(call)
///   }
/// }
///
/// let cars = InterceptedRepository(HTTPRepository<Car>(service, "cars"), by: Announcing())
/// ```
///
/// ## Execution
///
/// As the methods of ``Repository``, it runs where the caller runs, and several calls may run at the
/// same time.
public protocol RepositoryInterceptor: Sendable {
  /// Performs a call by `body`, which passes it on to the repository, or fails it.
  ///
  /// - Parameters:
  ///   - call: The call that arrived.
  ///   - body: Makes a call of this kind, which may have other criteria and models. Without it, the
  ///     repository is not asked.
  /// - Returns: The answer, as a rule that of `body`.
  /// - Throws: What `body` throws. Any other error fails the call, as if the repository had thrown it.
  func perform<Model: Sendable, Value: Sendable>(
    _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
  ) async throws -> Value
}

/// A call that a ``RepositoryInterceptor`` sees.
///
/// ```swift
/// func log(_ call: InterceptedCall<Car>) {
///   if call.kind.isWrite { print("writes", call.models.count) }
/// }
/// ```
public struct InterceptedCall<Model: Sendable>: Sendable, PlainlyPrinted {
  /// The kind of a call.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// ``Repository/find(_:)``, also if its answer arrives in batches.
    case find
    /// ``Repository/findOne(_:)``.
    case findOne
    /// ``Repository/count(_:)``.
    case count
    /// ``Repository/exists(_:)``.
    case exists
    /// ``Repository/store(_:)``.
    case store
    /// ``Repository/storeOne(_:)``.
    case storeOne
    /// ``Repository/update(_:)``.
    case update
    /// ``Repository/updateOne(_:)``.
    case updateOne
    /// ``Repository/storeOrUpdate(_:)``.
    case storeOrUpdate
    /// ``Repository/remove(_:)``.
    case remove
    /// ``Repository/removeOne(_:)``.
    case removeOne
    /// ``Repository/mirror(_:for:)``, with models that stay or without.
    case mirror
    /// ``ObservableRepository/snapshot(_:)``.
    case snapshot
    /// ``ChangesRepository/changes(_:since:)``.
    case changes
    /// ``LiveRepository/liveChanges(since:)``: the stream is opened; its elements are no calls.
    case liveChanges
    /// ``TransactionalRepository/commit(_:)``; the call has no models.
    case commit
    /// One request with several writes, which may be of several model types; the call has no models.
    case together

    /// Whether such a call writes.
    public var isWrite: Bool {
      switch self {
      case .find, .findOne, .count, .exists, .snapshot, .changes, .liveChanges: false
      case .store, .storeOne, .update, .updateOne, .storeOrUpdate, .remove, .removeOne, .mirror,
        .commit, .together:
        true
      }
    }
  }

  /// The kind of the call.
  public let kind: Kind

  /// The criteria of a read or of a mirror; without conditions for any other call.
  public var criteria: Criteria

  /// The models to write; empty for a read.
  public var models: [Model]

  init(_ kind: Kind, criteria: Criteria = Criteria(), models: [Model] = []) {
    self.kind = kind
    self.criteria = criteria
    self.models = models
  }
}
