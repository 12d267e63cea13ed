extension EvocationError {
  /// What happened, without models' ids and values.
  public var logDescription: String? {
    switch self {
    case .proxyNotFound: "no proxy is registered"
    case .missingRepository(let type, _): "no \(type.rawValue) repository is registered"
    case .noData: "no data"
    case .alreadyExists(let ids): "\(ids.count == 1 ? "is" : "are") there already"
    case .unknownKey(let key, _, _): "unknown key \(key)"
    case .incomparableValue(let key, _): "the value for \(key) cannot be compared"
    case .nestedTooDeeply: "criteria nested too deeply"
    case .unsearchable: "no full-text index"
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

extension StrategyError {
  /// The mistake in the strategy, without the texts of a file.
  package var logDescription: String {
    switch self {
    case .incompleteConfiguration: "a strategy without all rules"
    case .invalidRule: "the rule does not work"
    case .unreadable: "a strategy that cannot be read"
    }
  }
}
