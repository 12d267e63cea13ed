import Evocation
public import Foundation

extension RecordingError: LocalizedError {
  /// A sentence for an alert, without the recording's values.
  public var errorDescription: String? { AlertText.testFailed.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    "Record the run again with this version of Evocation, and replay the same calls."
  }
}

extension RecordedFailure: LocalizedError {
  /// A sentence for the person who uses the app, by the failure's kind.
  public var errorDescription: String? { AlertText(failureKind).rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    "Handle it as your app handles the recorded error, by its failureKind."
  }
}
