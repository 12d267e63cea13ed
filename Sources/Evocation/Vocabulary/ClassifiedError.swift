/// An error that says what it means for a retry.
///
/// Errors that do not conform count as ``FailureKind/transient``, apart from those of Evocation
/// itself and of decoding and encoding, which are permanent.
public protocol ClassifiedError: Error {
  /// Whether it is worth trying again.
  var failureKind: FailureKind { get }

  /// How long to wait before the next try, when the other side said so.
  var retryAfter: Duration? { get }
}

extension ClassifiedError {
  /// Nil: no time to wait is known.
  public var retryAfter: Duration? { nil }
}

extension EvocationError: ClassifiedError {
  /// A timeout is transient; everything else stays wrong until the code changes.
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
