public import Evocation

/// A call failed because its schedule said so.
public struct InjectedFault: ClassifiedError, Hashable, CustomStringConvertible {
  /// The repository's method.
  public let method: String

  /// The call's number among all, from 1.
  public let call: Int

  /// What happened to it, as the schedule says.
  public let fault: String

  /// Transient: it may go well the next time.
  public var failureKind: FailureKind { .transient }

  /// One sentence that says which call failed, and how.
  public var description: String {
    "Call \(call), \(method), \(fault), because the test's schedule says so."
  }
}
