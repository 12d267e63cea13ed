public import Foundation

/// The error of a call for which no repository of several could be reached.
///
/// A ``FallbackRepository`` throws it. Whether to try again, and how long to wait, is what the first
/// repository's error says.
///
/// ```swift
/// if let error = result.error as? FallbackError {
///   for attempt in error.attempts { print(attempt.repository, attempt.error) }
/// }
/// ```
public struct FallbackError: ClassifiedError, CustomStringConvertible, LocalizedError {
  /// A repository that was asked, and its error.
  public struct Attempt: Sendable, PlainlyPrinted {
    /// The name of the repository: of its service if it has one, otherwise of its type.
    public let repository: String

    /// The error that it threw.
    public let error: any Error

    /// Creates an attempt.
    public init(_ repository: String, _ error: any Error) {
      (self.repository, self.error) = (repository, error)
    }
  }

  /// The error of the first repository.
  public let underlying: any Error

  /// The repositories that were asked, in order.
  public let attempts: [Attempt]

  /// Creates an error of a first attempt, and of those after it.
  public init(_ first: Attempt, _ others: [Attempt]) {
    underlying = first.error
    attempts = [first] + others
  }

  private var classified: (any ClassifiedError)? { underlying as? any ClassifiedError }

  /// The kind of the first repository's error.
  public var failureKind: FailureKind { FailureKind(underlying) }

  /// The scope of the first repository's error.
  public var failureScope: FailureScope { FailureScope(underlying) }

  /// How long to wait, by the first repository's error.
  public var retryAfter: Duration? { classified?.retryAfter }

  /// Whether any of the repositories may have received the call.
  public var mayHaveArrived: Bool { attempts.contains { Self.mayHaveArrived($0.error) } }

  /// The words for a log of the first repository's error.
  public var logDescription: String? { classified?.logDescription }

  /// What the first repository's service said.
  public var serviceWords: ServiceWords? { classified?.serviceWords }

  /// One sentence with the name and the error of each repository.
  public var description: String {
    "None of \(attempts.count) repositories could be reached: "
      + attempts.map { "\($0.repository): \($0.error)" }.joined(separator: "; ").asSentence
  }

  /// Whether a call that failed with an error may have reached the service.
  package static func mayHaveArrived(_ error: any Error) -> Bool {
    (error as? any ClassifiedError)?.mayHaveArrived ?? true
  }
}
