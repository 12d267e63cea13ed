/// Says that a case did not do what it was to measure.
struct WrongAnswer: Error {}

/// Fails the case unless the condition holds.
func expect(_ condition: Bool) throws(WrongAnswer) {
  guard condition else { throw WrongAnswer() }
}
