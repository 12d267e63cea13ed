internal import Foundation

extension EvocationError {
  /// One sentence for the developer: what failed, on what, why, and the fix.
  public var description: String { sentence.description }
}

extension EvocationError {
  /// A sentence for the person who uses the app, without terms of Evocation and values of models.
  public var errorDescription: String? { alert.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  private var alert: AlertText {
    switch self {
    case .timedOut(.remote, _, _): .notAnswered
    case .offline: .offline
    case .alreadyExists: .alreadyExists
    case .noData: .nothingToShow
    case .unsentWrites: .unsent
    case .entryNotFound: .noLongerWaiting
    case .signedOut: .signedOut
    default: AlertText(failureKind)
    }
  }
}

extension EvocationError {
  /// The problem and the fix.
  private var sentence: ErrorSentence {
    switch self {
    case .proxyNotFound(let model):
      ErrorSentence(
        "Your app has not registered \(model)",
        fix:
          "call register(\(model).self, remote:local:strategy:) on the same Evocation before the first use"
      )
    case .missingRepository(let type, let model):
      ErrorSentence(
        "The strategy of \(model) uses the \(type.rawValue) repository, and your app registered none",
        fix:
          "add it with repository(\(type.rawValue):), or choose a strategy without that repository"
      )
    case .noData:
      ErrorSentence(
        "The call succeeded, but it returned no data",
        fix: "read `data` where no data is a valid answer")
    case .alreadyExists(let ids):
      ErrorSentence(
        "The repository already has \(ids.count == 1 ? "a model with id" : "models with the ids") "
          + "\(Self.list(ids)), so it stored nothing",
        fix:
          "use storeOrUpdate to replace \(ids.count == 1 ? "an existing model" : "existing models")"
      )
    case .unknownKey(let key, let model, let nearest):
      ErrorSentence("\(model) has no key \"\(key)\"", fix: Self.suggestion(nearest))
    case .incomparableValue(let key, let reason):
      ErrorSentence(
        whole: "The criteria cannot compare \"\(key)\", because \(reason)",
        suggestion: "compare the key with a value of its own kind, by an operator of that kind")
    case .nestedTooDeeply(let most):
      ErrorSentence(
        "The criteria nest &&, || and ! more than \(most) levels deep",
        fix: "put the inner terms side by side")
    case .unsearchable(let model, let reason):
      ErrorSentence(
        whole: "Evocation cannot search \(model) for words, because \(reason)",
        suggestion: "search a SQLiteRepository whose indexes have SQLiteIndex.fullText")
    case .unmappable(let model, let property, let reason):
      ErrorSentence(
        whole: "Evocation cannot map \(property.isEmpty ? "" : "the property \"\(property)\" of ")"
          + "\(model), because \(reason)",
        suggestion:
          "give the model properties that code themselves as single values, lists or structs, "
          + "or make their types conform to CodableExample")
    case .timedOut(let type, let model, let limit):
      ErrorSentence(
        "The \(type.rawValue) repository of \(model) did not answer within \(limit)",
        fix: "try again, or raise the timeout of the rule")
    case .offline(let model):
      ErrorSentence(
        "Evocation did not fetch \(model), because the device has no connection",
        fix: "try again when the connection returns")
    case .unanswered(let type, let model, let method):
      ErrorSentence(
        "The \(type.rawValue) repository of \(model) released the completion of \(method) without "
          + "calling it", fix: "call the completion exactly once on every path")
    case .nestedWrite(_, let circle) where circle.count > 1:
      ErrorSentence(
        "The writes of \(Self.enumeration(circle)) would wait for each other forever, because each was "
          + "made through Evocation inside a write of another",
        fix: "call the inner repository directly, or write after the outer write has ended")
    case .nestedWrite(let model, _):
      ErrorSentence(
        "A repository of \(model) wrote \(model) through Evocation inside its own write, which would "
          + "wait for itself",
        fix: "call the inner repository directly, or write after the outer write has ended")
    case .openEnded(let model, let reason):
      ErrorSentence(
        whole: "Evocation cannot treat a list of \(model) as complete, because \(reason)",
        suggestion: "describe in the repository's configuration how its lists end")
    case .notObservable(let model):
      ErrorSentence(
        "Evocation cannot observe \(model)",
        fix: "register an ObservableRepository, and make \(model) Codable and Identifiable")
    case .notIdentifiable(let model):
      ErrorSentence(
        "Evocation cannot mirror \(model) or undo its writes, because its models have no id",
        fix: "make \(model) Identifiable")
    case .alreadyStarted:
      ErrorSentence(
        "Evocation.shared is already in use, or already has a configuration",
        fix: "call Evocation.bootstrap(_:) once, before any other use")
    case .outboxUnavailable(let model, let action):
      ErrorSentence(
        "The rule for \(action.rawValue) of \(model) synchronizes by outbox, and the local repository "
          + "has none, so nothing was written",
        fix: "register a local repository with an outbox, or choose another synchronization")
    case .unsentWrites(let count):
      ErrorSentence(
        "\(count) write\(count == 1 ? " has" : "s have") not reached the server",
        fix:
          "send \(count == 1 ? "it" : "them") with flush(), resend or discard what is parked, or sign "
          + "out with .keep or .discard")
    case .circularDependency(let models):
      ErrorSentence(
        "The writes of \(Self.enumeration(models)) would wait for each other forever, because each "
          + "sends(after:) another", fix: "remove one of these calls of sends(after:)")
    case .separateStores(let model, let other):
      ErrorSentence(
        "The writes of \(model) cannot wait for those of \(other), because their local repositories use "
          + "different files",
        fix: "put both models into one database, or remove sends(after:) and together(_:)")
    case .unitEnded(let model):
      ErrorSentence(
        "Your app wrote \(model) after the closure of together(_:) had returned, so nothing was written",
        fix: "await each write inside the closure")
    case .entryNotFound(let id):
      ErrorSentence(
        "The outbox no longer has the entry \(id), because it was sent or discarded",
        fix: "read the entries again")
    case .differentModel(let model):
      ErrorSentence(
        "A model that replaces a \(model) has another id",
        fix: "keep the id, or store it as a new model")
    case .signedOut(let model):
      ErrorSentence(
        "The account signed out while Evocation read \(model), so the call returned no models",
        fix: "read again for the account that is signed in now")
    case .nestedSignOut(let model):
      ErrorSentence(
        "Your app signed out inside a write of \(model), which would wait for itself",
        fix: "sign out after the write has ended")
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
    guard let last = nearest.last else { return "use one of its coding keys" }
    let others = nearest.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return "did you mean \(others.isEmpty ? "" : others + " or ")\"\(last)\"?"
  }
}
