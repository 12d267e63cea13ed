extension EvocationError {
  /// Compares equal to every ``proxyNotFound(model:)``.
  public static var proxyNotFound: EvocationError { .proxyNotFound(model: "") }

  /// Compares equal to every ``missingRepository(_:model:)``.
  public static var missingRepository: EvocationError { .missingRepository(.remote, model: "") }

  /// Compares equal to every ``nestedWrite(model:)``.
  public static var nestedWrite: EvocationError { .nestedWrite(model: "") }
}

extension EvocationError: Equatable {
  /// Whether two errors are of one kind; ids and keys count, the model's name does not.
  public static func == (left: EvocationError, right: EvocationError) -> Bool {
    switch (left, right) {
    case (.proxyNotFound, .proxyNotFound), (.missingRepository, .missingRepository),
      (.noData, .noData), (.unmappable, .unmappable), (.timedOut, .timedOut),
      (.unanswered, .unanswered), (.nestedWrite, .nestedWrite),
      (.outboxUnavailable, .outboxUnavailable), (.notIdentifiable, .notIdentifiable),
      (.notObservable, .notObservable):
      true
    case (.alreadyExists(let left), .alreadyExists(let right)):
      left == right
    case (.unknownKey(let left, _, _), .unknownKey(let right, _, _)):
      left == right
    case (.incomparableValue(let left, _), .incomparableValue(let right, _)):
      left == right
    default:
      false
    }
  }
}
