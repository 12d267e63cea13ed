/// Whether, how often and with what one member of a mock was used.
public struct MockCalls<Arguments: Sendable>: Sendable {
  /// What the member was given each time, in order.
  public internal(set) var invocations: [Arguments] = []

  /// Whether it was used.
  public var called: Bool { !invocations.isEmpty }

  /// How often it was used.
  public var callsCount: Int { invocations.count }
}

/// A mock was asked for something that the test gave it no closure for.
public struct MockFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mock's type.
  public let mock: String

  /// The member that was used.
  public let member: String

  /// The closure that the test has to set.
  public let closure: String

  /// One sentence: which member was used, and which closure to set.
  public var description: String {
    "\(mock) has no answer for \(member); set \(closure)."
  }
}
