/// An error that says whether trying again may help.
///
/// Errors that do not conform count as ``FailureKind/transient``, except decoding and encoding
/// errors, which are permanent.
public protocol ClassifiedError: Error {
  /// Whether trying again may help.
  var failureKind: FailureKind { get }

  /// Whether it says something of the write that failed, or only of the service.
  ///
  /// By default it follows from ``failureKind``: a permanent failure and a conflict are about the write,
  /// and any other about the service.
  var failureScope: FailureScope { get }

  /// How long to wait before the next try, when the service said so.
  var retryAfter: Duration? { get }

  /// Whether there is nothing where it was asked for, as with a status of 404.
  ///
  /// Paging by number takes it for the end of a list, where it is told to.
  var isNotFound: Bool { get }

  /// A few words for a log, such as `timed out`; no model's values, no ids, no address.
  ///
  /// By default it is nil: a log has the name of the type and the ``failureKind`` alone.
  var logDescription: String? { get }
}

extension ClassifiedError {
  /// Nil: a log has the type's name and the kind.
  public var logDescription: String? { nil }

  /// What follows from the kind.
  public var failureScope: FailureScope { FailureScope(failureKind) }

  /// Nil: no time to wait is known.
  public var retryAfter: Duration? { nil }

  /// False: the failure has another cause, or does not say.
  public var isNotFound: Bool { false }
}

/// A repository's error that says what the remote has in place of what was expected.
public protocol ConflictError: ClassifiedError {
  /// The remote's model; nil where the error does not say, and it is asked for then.
  var current: (any Sendable)? { get }

  /// The service's version of that model; nil where the error does not say.
  var currentVersion: String? { get }
}

/// A repository's error that says how far a write of several models came.
///
/// It is thrown by repositories that write one model after another, once something was written.
public protocol PartialError: ClassifiedError {
  /// The ids of the models that were written, in the order of the call.
  var done: [String] { get }

  /// The ids of the models of which it is not known.
  var failed: [String] { get }

  /// The ids of the models that were not sent.
  var unsent: [String] { get }

  /// Why the write ended.
  var underlying: any Error { get }
}

extension PartialError {
  /// That of the error that ended the write.
  public var failureScope: FailureScope { FailureScope(underlying) }
}

extension ConflictError {
  /// A conflict.
  public var failureKind: FailureKind { .conflict }

  /// Nil: the error does not say.
  public var currentVersion: String? { nil }
}

extension EvocationError: ClassifiedError {
  /// Transient for a timeout and no connection, a conflict for a model that is there already, and else permanent.
  public var failureKind: FailureKind {
    switch self {
    case .timedOut, .offline: .transient
    case .alreadyExists: .conflict
    case .proxyNotFound, .missingRepository, .noData, .unknownKey, .incomparableValue,
      .nestedTooDeeply, .unmappable, .unanswered, .nestedWrite, .outboxUnavailable,
      .notObservable, .notIdentifiable, .unsentWrites, .circularDependency, .separateStores,
      .entryNotFound, .differentModel, .alreadyStarted, .signedOut, .nestedSignOut, .unitEnded,
      .openEnded:
      .permanent
    }
  }
}

extension FailureKind {
  /// The kind of any error.
  public init(_ error: any Error) {
    switch error {
    case let error as any ClassifiedError: self = error.failureKind
    case is DecodingError, is EncodingError: self = .permanent
    default: self = .transient
    }
  }
}

/// Whether trying again can help after a failure.
public enum FailureKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Trying again may help: no connection, a timeout, an overloaded service.
  case transient
  /// The user must sign in, or needs another permission.
  case authorization
  /// The remote has another state of the model than the write was made on.
  case conflict
  /// It will fail each time: a refused value, a decoding error.
  case permanent
}

/// What a failed write says: something of the write, or only of the service.
///
/// The outbox goes by it: what says nothing of the write is sent again, whatever its kind.
public enum FailureScope: Sendable, Hashable {
  /// The service refused this write; another may go well.
  case write
  /// Nothing was said of this write: the service, or the way to it, failed.
  case service
  /// The service has carried the write out, and its answer cannot be read.
  case carriedOut
}

extension FailureScope {
  /// The scope of any error: its own, or else what follows from its kind.
  public init(_ error: any Error) {
    self = (error as? any ClassifiedError)?.failureScope ?? Self(FailureKind(error))
  }

  init(_ kind: FailureKind) {
    switch kind {
    case .permanent, .conflict: self = .write
    case .transient, .authorization: self = .service
    }
  }
}
