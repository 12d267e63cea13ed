/// A remote repository that remembers something of what it was answered, and can forget it.
///
/// Signing out calls it, so that the next user's answers come from nothing that was remembered for the
/// last one.
package protocol ForgettingRepository: Sendable {
  /// Forgets what was answered; also what is answered later to what was asked before.
  func forgetAnswers()
}
