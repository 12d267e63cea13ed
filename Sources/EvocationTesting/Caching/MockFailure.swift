/// A mock was asked for something that the test did not tell it how to answer.
public struct MockFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mock's type.
  public let mock: String

  /// The member that was used.
  public let member: String

  /// The closure that the test has to set.
  public let closure: String

  /// One sentence that says what was asked, and what to set.
  public var description: String {
    "\(mock) was asked for \(member) and has nothing to answer: set \(closure)."
  }
}
