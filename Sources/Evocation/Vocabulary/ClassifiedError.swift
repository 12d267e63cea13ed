/// An error that says whether trying again may help.
///
/// Errors that do not conform count as ``FailureKind/transient``, except decoding and encoding
/// errors, which are permanent.
public protocol ClassifiedError: Error {
  /// Whether trying again may help.
  var failureKind: FailureKind { get }

  /// How long to wait before the next try, when the service said so.
  var retryAfter: Duration? { get }

  /// Whether there is nothing where it was asked for, as with a status of 404.
  ///
  /// Paging by number takes it for the end of a list, where it is told to.
  var isNotFound: Bool { get }
}

extension ClassifiedError {
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
      .notObservable, .notIdentifiable, .unsentWrites, .circularDependency, .entryNotFound,
      .differentModel, .alreadyStarted, .signedOut, .nestedSignOut:
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
