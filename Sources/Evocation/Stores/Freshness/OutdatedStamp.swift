import Foundation

/// An error: fetched data belong to a state that the local store no longer has.
///
/// There are two cases. A page was fetched for a list that has been replaced, continued or cleared
/// since. Or changes were fetched since a change token that the local store no longer has. A store
/// throws it out of the transaction, so that nothing is saved; Evocation then fetches again.
package struct OutdatedStamp: Error, Sendable {
  /// Creates the error.
  package init() {}
}

extension OutdatedStamp: CustomStringConvertible {
  /// One sentence for the developer: what failed, why, and the fix.
  package var description: String { sentence.description }
}

extension OutdatedStamp: LocalizedError {
  /// A sentence for the person who uses the app, without terms of Evocation.
  package var errorDescription: String? { AlertText.notPossibleNow.rawValue }

  /// The fix, for the developer.
  package var recoverySuggestion: String? { sentence.suggestion }

  private var sentence: ErrorSentence {
    ErrorSentence(
      "Another write changed the list or its change token while these data were fetched, so the local "
        + "store saved none of them",
      fix: "let the error leave the transaction, and the cache fetches again")
  }
}
