/// An error of Evocation; errors of repositories pass through untouched.
///
/// Each prints as one sentence for the developer, which names the model and the fix. Its
/// `localizedDescription` is a sentence for the person who uses the app. Comparisons need not name the
/// model: `error == .proxyNotFound` holds for every model.
public enum EvocationError: Error, Sendable {
  /// No proxy is registered for the model type.
  case proxyNotFound(model: String)

  /// The rule asks a repository that is not registered.
  case missingRepository(Evocation.RepositoryType, model: String)

  /// The call succeeded without data, where data were asked for.
  case noData

  /// Models with these ids are there already; nothing was stored.
  case alreadyExists(_ ids: [String])

  /// The criteria, or a model, name a key that the model type does not have.
  case unknownKey(String, model: String, nearest: [String])

  /// A value cannot be compared with what the key holds.
  case incomparableValue(key: String, reason: String)

  /// The criteria nest `&&`, `||` and `!` more levels deep than is supported.
  case nestedTooDeeply(most: Int)

  /// The model type's schema cannot be found out: names the property and the reason.
  case unmappable(model: String, property: String, reason: String)

  /// A repository did not answer within the rule's timeout.
  case timedOut(Evocation.RepositoryType, model: String, after: Duration)

  /// There is no connection, so the remote was not asked.
  case offline(model: String)

  /// A callback repository released a completion without calling it.
  case unanswered(Evocation.RepositoryType, model: String, method: String)

  /// A write was made inside a repository's write on the same model type.
  ///
  /// Or inside a write on another model type, so that both would wait for each other; `circle` then
  /// names all model types that would.
  case nestedWrite(model: String, circle: [String] = [])

  /// The rule needs an outbox, and the local repository does not have one.
  case outboxUnavailable(model: String, action: Strategy.Action)

  /// Writes have not reached the remote, so that signing out would lose them.
  case unsentWrites(_ count: Int)

  /// The writes of these model types would wait for each other for ever.
  case circularDependency(models: [String])

  /// The writes of one model type are to wait for those of another, which lie in another store.
  case separateStores(model: String, other: String)

  /// A write was to join others of a unit whose closure had returned.
  case unitEnded(model: String)

  /// The entry is no longer in the outbox: it was sent, or discarded.
  case entryNotFound(id: String)

  /// An entry was given a model with another id.
  case differentModel(model: String)

  /// Somebody signed out while the models were read, so that they are not given.
  case signedOut(model: String)

  /// Signing out was called inside a write that it would wait for.
  case nestedSignOut(model: String)

  /// The remote repository cannot say that a list is whole, and the call takes it to be.
  case openEnded(model: String, reason: String)

  /// No repository of the model tells its changes, or the model has no id.
  case notObservable(model: String)

  /// The model is not `Identifiable`.
  case notIdentifiable(model: String)

  /// The shared instance was used, or was given a configuration, before it was given one.
  case alreadyStarted
}

extension EvocationError {
  /// Stands for every model; no type has this name.
  private static let anyModel = "*"

  /// Compares equal to every ``proxyNotFound(model:)``.
  public static var proxyNotFound: EvocationError { .proxyNotFound(model: anyModel) }

  /// Compares equal to every ``missingRepository(_:model:)``.
  public static var missingRepository: EvocationError {
    .missingRepository(.remote, model: anyModel)
  }

  /// Compares equal to every ``EvocationError/nestedWrite(model:circle:)``.
  public static var nestedWrite: EvocationError { .nestedWrite(model: anyModel) }
}

extension EvocationError: Equatable {
  /// Whether two errors are the same case with the same repository, action, key and ids.
  ///
  /// The model's name, a reason and a limit are not compared.
  public static func == (left: EvocationError, right: EvocationError) -> Bool {
    if case .missingRepository(_, let model) = left,
      case .missingRepository(_, let other) = right, model == anyModel || other == anyModel
    {
      return true
    }
    return left.identity == right.identity
  }

  /// The case, and the values that are compared.
  private var identity: [String] {
    switch self {
    case .proxyNotFound: ["proxyNotFound"]
    case .missingRepository(let type, _): ["missingRepository", type.rawValue]
    case .noData: ["noData"]
    case .alreadyExists(let ids): ["alreadyExists"] + ids
    case .unknownKey(let key, _, _): ["unknownKey", key]
    case .incomparableValue(let key, _): ["incomparableValue", key]
    case .nestedTooDeeply: ["nestedTooDeeply"]
    case .unmappable(_, let property, _): ["unmappable", property]
    case .timedOut(let type, _, _): ["timedOut", type.rawValue]
    case .offline: ["offline"]
    case .unanswered(let type, _, let method): ["unanswered", type.rawValue, method]
    case .openEnded: ["openEnded"]
    case .nestedWrite: ["nestedWrite"]
    case .outboxUnavailable(_, let action): ["outboxUnavailable", action.rawValue]
    case .unsentWrites(let count): ["unsentWrites", "\(count)"]
    case .circularDependency(let models): ["circularDependency"] + models
    case .separateStores(let model, let other): ["separateStores", model, other]
    case .unitEnded: ["unitEnded"]
    case .entryNotFound(let id): ["entryNotFound", id]
    case .differentModel: ["differentModel"]
    case .signedOut: ["signedOut"]
    case .nestedSignOut: ["nestedSignOut"]
    case .notObservable: ["notObservable"]
    case .notIdentifiable: ["notIdentifiable"]
    case .alreadyStarted: ["alreadyStarted"]
    }
  }
}
