/// A mock received a call that your test set no closure for.
public struct MockFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mock's type.
  public let mock: String

  /// The member that your code called.
  public let member: String

  /// The closure that your test has to set.
  public let closure: String

  /// One sentence: which member was used, and which closure to set.
  public var description: String {
    "\(mock) has no answer for \(member); set \(closure)."
  }
}
