/// Whether trying again can help after a failure.
public enum FailureKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// It may go well the next time: no connection, a timeout, an overloaded service.
  case transient
  /// It needs the user to sign in, or another right.
  case authorization
  /// It will fail the same way each time: a refused value, a decoding error, a conflict.
  case permanent
}
