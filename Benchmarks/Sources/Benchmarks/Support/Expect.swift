/// The error of a case that did not do what it measures.
struct WrongAnswer: Error {}

/// Fails the case unless the condition holds.
func expect(_ condition: Bool) throws(WrongAnswer) {
  guard condition else { throw WrongAnswer() }
}
