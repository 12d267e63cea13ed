public import Foundation

/// A list whose stored numbers contradict each other, so that its content is not known.
///
/// The cache then deletes the list, reports the error to `onTrace`, and fetches the list again; its
/// models stay.
public struct ListDamage: ClassifiedError, Hashable {
  /// The model type, or its table.
  public var model: String

  /// Which of the stored numbers contradict each other.
  public var reason: String

  /// Creates an error; model and reason must not contain user data.
  public init(model: String, reason: String) {
    self.model = model
    self.reason = reason
  }

  /// Permanent: reading again does not help, and the list is fetched again.
  public var failureKind: FailureKind { .permanent }
}

extension ListDamage: CustomStringConvertible {
  /// One sentence: which list is damaged, why, and what the cache does about it.
  public var description: String { sentence.description }
}

extension ListDamage: LocalizedError {
  /// A sentence for the person who uses the app, without terms of Evocation.
  public var errorDescription: String? { AlertText.storageDamaged.rawValue }

  /// What the cache does about it, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  private var sentence: ErrorSentence {
    ErrorSentence(
      "Evocation cannot use a list of \(model), because \(reason)",
      fix: "the cache deletes the list, keeps its models, and fetches it again")
  }
}
