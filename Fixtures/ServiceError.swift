/// What kept the fixture service from starting or from obeying a test.
public struct ServiceError: Error, Hashable, CustomStringConvertible {
  /// One sentence: what failed, why, and how to mend it.
  public let description: String
}
