import Evocation
import Foundation

extension RecordingError {
  /// A sentence for an alert, without the recording's values.
  package var errorDescription: String? { AlertText.testFailed.rawValue }

  /// The fix, for the developer.
  package var recoverySuggestion: String? {
    "Record the run again with this version of Evocation, and replay the same calls."
  }
}

extension RecordedFailure {
  /// A sentence for the person who uses the app, by the failure's kind.
  package var errorDescription: String? { AlertText(failureKind).rawValue }

  /// The fix, for the developer.
  package var recoverySuggestion: String? {
    "Handle it as your app handles the recorded error, by its failureKind."
  }
}
