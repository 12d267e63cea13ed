import Evocation
internal import Foundation

extension MockFailure {
  /// A sentence for an alert.
  public var errorDescription: String? { AlertText.testFailed.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { "Set \(closure) of the mock before your app calls it." }
}

extension InitialStateError {
  /// A sentence for an alert.
  public var errorDescription: String? { AlertText.testFailed.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    switch self {
    case .agesExclude: "Use lastFetched(_:), or give the source other ages."
    case .noEmptyCache: "Use cache(_:) with a value that counts as empty."
    }
  }
}
