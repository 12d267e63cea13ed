import Evocation
internal import Foundation

extension RepositoryContract.Violation {
  /// A sentence for an alert, without values of models.
  public var errorDescription: String? { AlertText.testFailed.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    "Change the repository so that it keeps the rule in `rule`."
  }
}
