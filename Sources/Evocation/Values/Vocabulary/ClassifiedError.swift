/// An error that says whether trying again may help.
///
/// Errors that do not conform count as ``FailureKind/transient``, except decoding and encoding
/// errors, which are permanent.
///
/// ```swift
/// struct Refusal: ClassifiedError {
///   let failureKind: FailureKind
///   var retryAfter: Duration? { .seconds(9) }
/// }
/// ```
public protocol ClassifiedError: Error {
  /// Whether trying again may help.
  var failureKind: FailureKind { get }

  /// Whether the error is about the write, or only about the service.
  ///
  /// By default it follows from ``failureKind``: a permanent failure and a conflict are about the write,
  /// and every other failure is about the service.
  var failureScope: FailureScope { get }

  /// Whether the call may have reached the service, so that another try might perform it twice.
  ///
  /// By default it is true. Return false only for a failure before anything was sent, such as a refused
  /// connection. A ``FallbackRepository`` makes such a write at the next repository.
  var mayHaveArrived: Bool { get }

  /// How long to wait before the next try, if the service says so.
  var retryAfter: Duration? { get }

  /// Whether the requested thing does not exist, as with a status of 404.
  ///
  /// Paging by number takes it for the end of a list, if you configure it to.
  var isNotFound: Bool { get }

  /// A few words for a log, such as `timed out`; no model's values, no ids, no address.
  ///
  /// By default it is nil: a log has the name of the type and the ``failureKind`` alone.
  var logDescription: String? { get }

  /// What the service said, for the person who uses the app; nil if it said nothing.
  ///
  /// The outbox keeps it with a write that failed, as ``Outbox/Failure``.
  var serviceWords: ServiceWords? { get }
}

extension ClassifiedError {
  /// Nil: a log has the name of the type and the kind.
  public var logDescription: String? { nil }

  /// The scope that follows from the kind.
  public var failureScope: FailureScope { FailureScope(failureKind) }

  /// True: the call may have reached the service.
  public var mayHaveArrived: Bool { true }

  /// Nil: no time to wait is known.
  public var retryAfter: Duration? { nil }

  /// False: the failure has another cause, or does not say.
  public var isNotFound: Bool { false }

  /// Nil: the service said nothing.
  public var serviceWords: ServiceWords? { nil }
}

/// A repository's error that has the remote's present model, in place of the expected one.
///
/// ```swift
/// struct StaleCar: ConflictError {
///   let car: Car
///   let currentVersion: String?
///
///   var current: (any Sendable)? { car }
/// }
/// ```
public protocol ConflictError: ClassifiedError {
  /// The remote's model; nil if the error does not have it, and Evocation asks for it then.
  var current: (any Sendable)? { get }

  /// The service's version of that model; nil if the error does not have it.
  var currentVersion: String? { get }
}

/// A repository's error that lists which of several models were written.
///
/// Repositories that write one model after another throw it once they have written some.
///
/// ```swift
/// struct BatchError: PartialError {
///   var done: [String] = []
///   var failed: [String] = []
///   var unsent: [String] = []
///   var underlying: any Error
///
///   var failureKind: FailureKind { FailureKind(underlying) }
/// }
/// ```
public protocol PartialError: ClassifiedError {
  /// The ids of the models that were written, in the order of the call.
  var done: [String] { get }

  /// The ids of the models whose outcome is unknown.
  var failed: [String] { get }

  /// The ids of the models that were not sent.
  var unsent: [String] { get }

  /// Why the write ended.
  var underlying: any Error { get }
}

extension PartialError {
  /// The scope of the error that ended the write.
  public var failureScope: FailureScope { FailureScope(underlying) }

  /// What the service said when the write ended.
  public var serviceWords: ServiceWords? { ServiceWords.of(underlying) }
}

extension ConflictError {
  /// A conflict.
  public var failureKind: FailureKind { .conflict }

  /// Nil: the error does not have it.
  public var currentVersion: String? { nil }
}

extension EvocationError {
  /// Transient for a timeout and no connection, a conflict for an existing model, otherwise permanent.
  public var failureKind: FailureKind {
    switch self {
    case .timedOut, .offline: .transient
    case .alreadyExists: .conflict
    case .proxyNotFound, .missingRepository, .noData, .unknownKey, .incomparableValue,
      .nestedTooDeeply, .unsearchable, .unmappable, .unanswered, .nestedWrite, .outboxUnavailable,
      .notObservable, .notIdentifiable, .unsentWrites, .circularDependency, .separateStores,
      .entryNotFound, .differentModel, .alreadyStarted, .signedOut, .nestedSignOut, .unitEnded,
      .openEnded:
      .permanent
    }
  }
}

extension EvocationError {
  /// False if there is no connection, so that nothing was sent; otherwise true.
  public var mayHaveArrived: Bool { if case .offline = self { false } else { true } }
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
///
/// Your app learns it from any error:
///
/// ```swift
/// switch FailureKind(error) {
/// case .transient: "Try again later."
/// case .authorization: "Sign in first."
/// case .conflict: "Load it again, and then save it."
/// case .permanent: "Change it before you save it."
/// }
/// ```
public enum FailureKind: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
  /// Trying again may help: no connection, a timeout, an overloaded service.
  case transient
  /// The user must sign in, or needs another permission.
  case authorization
  /// The remote has another state of the model than the base of the write.
  case conflict
  /// It fails each time: a refused value, a decoding error.
  case permanent
}

/// Whether a failure is about the write, or only about the service.
///
/// The outbox sends a write again, whatever the kind of failure, if it is not about the write.
///
/// ```swift
/// switch FailureScope(error) {
/// case .write: "The service refused this write."
/// case .service: "The service cannot be reached."
/// case .carriedOut: "The service made the write, and its answer is unreadable."
/// }
/// ```
public enum FailureScope: Sendable, Hashable, PlainlyPrinted {
  /// The service refused this write; another one may succeed.
  case write
  /// The service, or the connection to it, failed; this says nothing about the write.
  case service
  /// The service has performed the write, and Evocation cannot read its answer.
  case carriedOut
}

extension FailureScope {
  /// The scope of any error: its own, or the one that follows from its kind.
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
