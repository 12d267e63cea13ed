/// An error that says whether trying again may help.
///
/// Errors that do not conform count as ``FailureKind/transient``, except decoding and encoding
/// errors, which are permanent.
public protocol ClassifiedError: Error {
  /// Whether trying again may help.
  var failureKind: FailureKind { get }

  /// How long to wait before the next try, when the service said so.
  var retryAfter: Duration? { get }
}

extension ClassifiedError {
  /// Nil: no time to wait is known.
  public var retryAfter: Duration? { nil }
}

extension EvocationError: ClassifiedError {
  /// Transient for a timeout; permanent for everything else, which needs a change of the code.
  public var failureKind: FailureKind {
    if case .timedOut = self { .transient } else { .permanent }
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
  /// It will fail each time: a refused value, a decoding error, a conflict.
  case permanent
}
