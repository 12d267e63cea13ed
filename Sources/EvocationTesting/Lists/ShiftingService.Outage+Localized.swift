import Evocation
public import Foundation

extension ShiftingService.Outage: CustomStringConvertible {
  /// One sentence: what failed, and why.
  public var description: String {
    "The ShiftingService refused the call, because the test let it fail or the call writes; let it "
      + "answer, or write to `items`."
  }
}

extension ShiftingService.Outage: LocalizedError {
  /// A sentence for the person who uses the app, as of any transient failure.
  public var errorDescription: String? { AlertText.notPossibleNow.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { "Let the service answer, or write to its `items`." }
}
