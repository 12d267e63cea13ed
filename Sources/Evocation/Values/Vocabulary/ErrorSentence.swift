/// What an error says to a developer: the problem and the fix.
///
/// `description` prints both as one sentence; `recoverySuggestion` is the fix alone, so that the two
/// never contradict each other.
package struct ErrorSentence: Sendable, Hashable {
  /// The problem and the fix, as one sentence.
  package let description: String

  /// The fix alone, as a sentence.
  package let suggestion: String

  /// Creates a sentence from a problem and its fix.
  ///
  /// - Parameters:
  ///   - problem: What failed, on what, and why.
  ///   - fix: What the developer does, in the imperative; it may be a question.
  package init(_ problem: String, fix: String) {
    let end = fix.hasSuffix("?") ? "" : "."
    description = "\(problem); \(fix)\(end)"
    suggestion = Self.sentence(fix) + end
  }

  /// Creates the sentence of a problem whose reason already says how to fix this occurrence.
  ///
  /// - Parameters:
  ///   - whole: What failed, on what, why, and the fix.
  ///   - suggestion: What helps in all such cases, in the imperative.
  package init(whole: String, suggestion: String) {
    description = "\(whole)."
    self.suggestion = Self.sentence(suggestion) + "."
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
