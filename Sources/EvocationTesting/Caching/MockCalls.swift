/// Whether, how often and with what one member of a mock was used.
public struct MockCalls<Arguments: Sendable>: Sendable {
  /// What the member was given each time, in order.
  public internal(set) var invocations: [Arguments] = []

  /// Whether it was used.
  public var called: Bool { !invocations.isEmpty }

  /// How often it was used.
  public var callsCount: Int { invocations.count }
}
