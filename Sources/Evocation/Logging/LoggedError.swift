/// An error that has a short text for a log, without the user's data.
///
/// Of other errors a log has the name of the type and the ``FailureKind`` alone.
public protocol LoggedError: Error {
  /// A few words, such as `timed out`; no model's values, no ids, no address.
  var logDescription: String { get }
}

extension EvocationError: LoggedError {
  /// What happened, without models' ids and values.
  public var logDescription: String {
    switch self {
    case .proxyNotFound: "no proxy is registered"
    case .missingRepository(let type, _): "no \(type.rawValue) repository is registered"
    case .noData: "no data"
    case .alreadyExists(let ids): "\(ids.count == 1 ? "is" : "are") there already"
    case .unknownKey(let key, _, _): "unknown key \(key)"
    case .incomparableValue(let key, _): "the value for \(key) cannot be compared"
    case .nestedTooDeeply: "criteria nested too deeply"
    case .unmappable(_, let property, _): "cannot be mapped: \(property)"
    case .timedOut: "timed out"
    case .unanswered: "released its completion"
    case .nestedWrite: "a write inside its own"
    case .outboxUnavailable: "no outbox"
    case .unsentWrites(let count): "\(count) unsent"
    case .circularDependency: "models that wait for each other"
    case .separateStores: "models that wait for those of another file"
    case .unitEnded: "a write after its unit had ended"
    case .entryNotFound: "the entry is gone"
    case .differentModel: "another id"
    case .openEnded: "no known end of lists"
    case .notObservable: "not observable"
    case .notIdentifiable: "not identifiable"
    case .alreadyStarted: "started already"
    case .offline: "offline"
    case .signedOut: "signed out in the meantime"
    case .nestedSignOut: "a sign-out inside a write"
    }
  }
}

extension StrategyError: LoggedError {
  /// What is wrong, without the texts of a file.
  public var logDescription: String {
    switch self {
    case .incompleteConfiguration: "a strategy without all rules"
    case .invalidRule: "the rule does not work"
    case .unreadable: "a strategy that cannot be read"
    }
  }
}

/// What a log says of an error.
enum LogText {
  static func of(_ error: any Error, showsValues: Bool) -> String {
    if showsValues { return "\(error)" }
    if let error = error as? any LoggedError { return error.logDescription }
    return "\(type(of: error)) (\(FailureKind(error).rawValue))"
  }

  /// The keys of criteria, or all of them where values are shown; nil where all models are asked for.
  static func of(_ criteria: Criteria, showsValues: Bool) -> String? {
    if criteria.isEverything { return nil }
    if showsValues { return criteria.tag }
    var parts = Set(criteria.predicate?.keys ?? []).sorted()
    if !criteria.order.isEmpty { parts.append("sorted") }
    if criteria.limit != nil { parts.append("limit") }
    if criteria.offset > 0 { parts.append("offset") }
    if criteria.cursor != nil { parts.append("after") }
    return "{\(parts.joined(separator: ", "))}"
  }
}

extension Criteria.Predicate {
  /// The names of the keys that it compares.
  fileprivate var keys: [String] {
    switch self {
    case .comparison(let key, _, _), .isIn(let key, _), .between(let key, _, _),
      .isNull(let key), .hasPrefix(let key, _), .contains(let key, _):
      [key.name]
    case .all(let parts), .any(let parts): parts.flatMap(\.keys)
    case .not(let part): part.keys
    }
  }
}
