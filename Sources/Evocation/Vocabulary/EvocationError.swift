/// An error of Evocation; errors of repositories pass through untouched.
///
/// Each prints as one sentence that names the model and the mend. Comparisons need not name the
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

extension EvocationError: CustomStringConvertible {
  /// One sentence: what failed, on what, why, and the mend.
  public var description: String {
    switch self {
    case .proxyNotFound(let model):
      "No proxy is registered for \(model); call register(for: \(model).self) before the first use."
    case .missingRepository(let type, let model):
      "The strategy of \(model) asks the \(type.rawValue) repository, and none is registered; "
        + "add one with repository(\(type.rawValue):) or choose a strategy that does without."
    case .noData:
      "The call succeeded, but there was no data to give; read `data` where no data is a valid answer."
    case .alreadyExists(let ids):
      "\(ids.count == 1 ? "A model" : "Models") with id \(Self.list(ids)) "
        + "\(ids.count == 1 ? "is" : "are") there already, so nothing was stored; "
        + "use storeOrUpdate to replace what is there."
    case .unknownKey(let key, let model, let nearest):
      "\(model) has no key \"\(key)\"\(Self.suggestion(nearest))"
    case .incomparableValue(let key, let reason):
      "The value for \"\(key)\" cannot be compared: \(reason)."
    case .nestedTooDeeply(let most):
      "The criteria nest &&, || and ! more than \(most) levels deep; put the inner terms side by "
        + "side."
    case .unmappable(let model, let property, let reason):
      "\(property.isEmpty ? "" : "The property \"\(property)\" of ")\(model) cannot be mapped: "
        + "\(reason)."
    case .timedOut(let type, let model, let limit):
      "The \(type.rawValue) repository of \(model) did not answer within \(limit)."
    case .offline(let model):
      "\(model) cannot be fetched without a connection; try again when there is one."
    case .unanswered(let type, let model, let method):
      "The \(type.rawValue) repository of \(model) released the completion of \(method) without "
        + "calling it; call it exactly once on every path."
    case .nestedWrite(_, let circle) where circle.count > 1:
      "\(Self.enumeration(circle)) would wait for each other for ever: each was written through "
        + "Evocation inside work of another that waits for it; write to the other repository directly, "
        + "or after answering."
    case .nestedWrite(let model, _):
      "A repository of \(model) wrote \(model) through Evocation inside its own write, which would "
        + "wait for itself; write to the other repository directly, or after answering."
    case .outboxUnavailable(let model, let action):
      "The rule for \(action.rawValue) of \(model) synchronizes by outbox, and the local repository "
        + "offers none; nothing was written, so choose another synchronization."
    case .unsentWrites(let count):
      "\(count) write\(count == 1 ? " has" : "s have") not reached the remote; send "
        + "\(count == 1 ? "it" : "them") with flush(), or sign out with .keep or .discard."
    case .circularDependency(let models):
      "The writes of \(Self.enumeration(models)) would wait for each other for ever, because each "
        + "sends(after:) another; leave one of these out."
    case .separateStores(let model, let other):
      "The writes of \(model) cannot wait for those of \(other), because their local repositories lie "
        + "in different files; put both into one database, or leave sends(after:) and together(_:) out."
    case .unitEnded(let model):
      "A write of \(model) came after the closure of together(_:) had returned, and was not made; await "
        + "each write inside the closure."
    case .entryNotFound(let id):
      "The entry \(id) is no longer in the outbox: it was sent, or discarded; read the entries again."
    case .differentModel(let model):
      "The \(model) to send in place of another has another id; store it as a model of its own."
    case .signedOut(let model):
      "Somebody signed out while \(model) was read, so the answer is not given; ask again for who is "
        + "signed in now."
    case .nestedSignOut(let model):
      "Signing out inside a write of \(model) would wait for itself; sign out after that has answered."
    case .openEnded(let model, let reason):
      "A list of \(model) may be a part of what the service has, and would be taken for all of it: "
        + "\(reason)."
    case .notObservable(let model):
      "\(model) cannot be observed: register an ObservableRepository, and make \(model) Codable and "
        + "Identifiable."
    case .notIdentifiable(let model):
      "Mirroring \(model) and undoing its writes need to tell its models apart; make \(model) "
        + "Identifiable."
    case .alreadyStarted:
      "Evocation.shared is in use already, or was given a configuration before; call "
        + "Evocation.bootstrap(_:) once, before anything else uses it."
    }
  }

  private static func enumeration(_ names: [String]) -> String {
    guard let last = names.last else { return "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 5
      ? names.joined(separator: ", ")
      : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more"
  }

  private static func suggestion(_ nearest: [String]) -> String {
    guard let last = nearest.last else { return "." }
    let others = nearest.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? "" : others + " or ")\"\(last)\"?"
  }
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
