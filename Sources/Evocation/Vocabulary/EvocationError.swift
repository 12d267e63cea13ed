/// Errors of Evocation itself; a repository's own errors pass through untouched.
///
/// Each prints as one sentence that names the model and says how to mend the matter. Patterns and
/// comparisons need not name the payload: `error == .proxyNotFound` holds for every model.
public enum EvocationError: Error, Sendable {
  /// No proxy is registered for the model type.
  case proxyNotFound(model: String)

  /// The rule names a repository that the proxy does not have.
  case missingRepository(Evocation.RepositoryType, model: String)

  /// The call succeeded without any data, where data was asked for.
  case noData

  /// Models with these ids are there already; nothing was stored.
  case alreadyExists(_ ids: [String])

  /// The criteria, or a model, name a key that the model type does not have.
  case unknownKey(String, model: String, nearest: [String])

  /// A value cannot be compared with what the key holds.
  case incomparableValue(key: String, reason: String)

  /// The criteria have more levels of `&&`, `||` and `!` within each other than anything takes.
  case nestedTooDeeply(most: Int)

  /// The model type cannot be looked into: which property, and why.
  case unmappable(model: String, property: String, reason: String)

  /// A repository did not answer within the rule's timeout.
  case timedOut(Evocation.RepositoryType, model: String, after: Duration)

  /// A callback repository let its completion go without ever calling it.
  case unanswered(Evocation.RepositoryType, model: String, method: String)

  /// A write was made inside a repository's own write on the same model type.
  ///
  /// Or inside a write on another model type that it would wait for, and that waits for it: `circle`
  /// then names all that would wait for each other.
  case nestedWrite(model: String, circle: [String] = [])

  /// The rule wants an outbox, and the local repository does not offer one.
  case outboxUnavailable(model: String, action: Strategy.Action)

  /// Neither repository tells its changes, or the models cannot be told apart by an id.
  case notObservable(model: String)

  /// The models have no identity by which they could be told apart.
  case notIdentifiable(model: String)
}
