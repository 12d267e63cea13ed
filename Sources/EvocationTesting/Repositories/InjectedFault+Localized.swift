import Evocation
internal import Foundation

extension InjectedFault {
  /// A sentence for the person who uses the app, as of any transient failure.
  public var errorDescription: String? { AlertText(failureKind).rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    "Let your app handle the failure, or take this call out of the test's FaultSchedule."
  }
}
