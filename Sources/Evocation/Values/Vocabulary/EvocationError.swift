public import Foundation

/// An error of Evocation; errors of your repositories pass through unchanged.
///
/// Each prints as one sentence for the developer, which names the model and the fix. Its
/// `localizedDescription` is a sentence for the person who uses the app. Comparisons need not name the
/// model: `error == .proxyNotFound` holds for every model.
///
/// ```swift
/// do {
///   try await evocation.signOut(.block)
/// } catch EvocationError.unsentWrites(let count) {
///   print("\(count) changes are not saved yet")
///   try await evocation.signOut(.discard)
/// }
/// ```
public enum EvocationError: Error, Sendable, CustomStringConvertible, LocalizedError,
  ClassifiedError
{
  /// Your app has not registered the model type.
  case proxyNotFound(model: String)

  /// The rule uses a repository that your app has not registered.
  case missingRepository(Evocation.RepositoryType, model: String)

  /// The call succeeded, and there are no data to return.
  case noData

  /// The repository already has models with these ids, and stored nothing.
  case alreadyExists(_ ids: [String])

  /// The criteria, or a model, have a key that the model type does not have.
  case unknownKey(String, model: String, nearest: [String])

  /// A value in the criteria cannot be compared with the values of its key.
  case incomparableValue(key: String, reason: String)

  /// The criteria nest `&&`, `||` and `!` deeper than Evocation supports.
  case nestedTooDeeply(most: Int)

  /// A repository has no full-text index for the words that the criteria search for.
  case unsearchable(model: String, reason: String)

  /// Evocation cannot read the properties of the model type; it names the property and the reason.
  case unmappable(model: String, property: String, reason: String)

  /// A repository did not answer within the rule's timeout.
  case timedOut(Evocation.RepositoryType, model: String, after: Duration)

  /// The device has no connection, so Evocation did not ask the server.
  case offline(model: String)

  /// A callback repository released a completion without calling it.
  case unanswered(Evocation.RepositoryType, model: String, method: String)

  /// A repository wrote the same model type through Evocation inside its own write.
  ///
  /// Or it wrote another model type, whose repository wrote this one inside that write; `circle`
  /// then names all model types that would wait for each other.
  case nestedWrite(model: String, circle: [String] = [])

  /// The rule needs an outbox, and the local repository does not have one.
  case outboxUnavailable(model: String, action: Strategy.Action)

  /// The server does not have these writes yet, and signing out would lose them.
  case unsentWrites(_ count: Int)

  /// The writes of these model types would wait for each other forever.
  case circularDependency(models: [String])

  /// The writes of one model type have to wait for those of another, and their stores differ.
  case separateStores(model: String, other: String)

  /// A write of a unit came after the closure of the unit had returned.
  case unitEnded(model: String)

  /// The outbox no longer has the entry, because it was sent or discarded.
  case entryNotFound(id: String)

  /// You passed a model with another id than that of the entry.
  case differentModel(model: String)

  /// The account signed out while Evocation read the models, so the call returned none.
  case signedOut(model: String)

  /// Your app signed out inside a write that the sign-out waits for.
  case nestedSignOut(model: String)

  /// The remote repository cannot tell whether a list is complete, and the call needs a complete one.
  case openEnded(model: String, reason: String)

  /// No repository of the model reports its changes, or the model has no id.
  case notObservable(model: String)

  /// The model is not `Identifiable`.
  case notIdentifiable(model: String)

  /// Your app used or configured the shared instance before this call of `bootstrap`.
  case alreadyStarted
}

extension EvocationError {
  /// The placeholder for every model; no type has this name.
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
    case .unsearchable: ["unsearchable"]
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
