/// A remote repository that remembers answers of its server, and can forget them.
///
/// Signing out calls it, so that nothing remembered for the last user shapes an answer for the next
/// one.
package protocol ForgettingRepository: Sendable {
  /// Forgets all answers, also those that arrive later to requests that are under way.
  func forgetAnswers()
}
