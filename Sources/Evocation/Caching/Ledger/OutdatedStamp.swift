public import Foundation

/// What was fetched belongs to a state of local that it no longer has.
///
/// A page was fetched for a list that has been replaced, continued or cleared since, or changes since
/// a mark that local no longer has. A store throws it out of the transaction, so that nothing is
/// saved; then what follows on the state that there is now is fetched.
package struct OutdatedStamp: Error, Sendable {
  /// Makes the error.
  package init() {}
}

extension OutdatedStamp: CustomStringConvertible {
  /// One sentence for the developer: what failed, why, and the fix.
  public var description: String { sentence.description }
}

extension OutdatedStamp: LocalizedError {
  /// A sentence for the person who uses the app, without terms of Evocation.
  public var errorDescription: String? { AlertText.notPossibleNow.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  private var sentence: ErrorSentence {
    ErrorSentence(
      "Another write changed the list or its change token while these data were fetched, so the local "
        + "store saved none of them",
      fix: "let the error leave the transaction, and the cache fetches again")
  }
}
