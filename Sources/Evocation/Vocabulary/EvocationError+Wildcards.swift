extension EvocationError {
  /// What stands for every model, and with it for every error of the kind; no type has this name.
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
  /// Whether two errors are of one kind, and concern the same repository, action, key or ids.
  ///
  /// The model's name, a reason and a limit do not count.
  public static func == (left: EvocationError, right: EvocationError) -> Bool {
    if case .missingRepository(_, let model) = left,
      case .missingRepository(_, let other) = right, model == anyModel || other == anyModel
    {
      return true
    }
    return left.identity == right.identity
  }

  /// The kind, and what of the payload counts.
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
    case .unanswered(let type, _, let method): ["unanswered", type.rawValue, method]
    case .nestedWrite: ["nestedWrite"]
    case .outboxUnavailable(_, let action): ["outboxUnavailable", action.rawValue]
    case .notObservable: ["notObservable"]
    case .notIdentifiable: ["notIdentifiable"]
    }
  }
}
