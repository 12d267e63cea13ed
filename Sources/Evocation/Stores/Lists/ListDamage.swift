import Foundation

/// A list whose stored numbers contradict each other, so that its content is not known.
///
/// The cache then deletes the list, reports the error to `onTrace`, and fetches the list again; its
/// models stay.
package struct ListDamage: ClassifiedError, Hashable {
  /// The model type, or its table.
  package var model: String

  /// Which of the stored numbers contradict each other.
  package var reason: String

  /// Creates an error; model and reason must not contain user data.
  package init(model: String, reason: String) {
    self.model = model
    self.reason = reason
  }

  /// Permanent: reading again does not help, and the list is fetched again.
  package var failureKind: FailureKind { .permanent }
}

extension ListDamage: CustomStringConvertible {
  /// One sentence: which list is damaged, why, and what the cache does about it.
  package var description: String { sentence.description }
}

extension ListDamage: LocalizedError {
  /// A sentence for the person who uses the app, without terms of Evocation.
  package var errorDescription: String? { AlertText.storageDamaged.rawValue }

  /// What the cache does about it, for the developer.
  package var recoverySuggestion: String? { sentence.suggestion }

  private var sentence: ErrorSentence {
    ErrorSentence(
      "Evocation cannot use a list of \(model), because \(reason)",
      fix: "the cache deletes the list, keeps its models, and fetches it again")
  }
}
