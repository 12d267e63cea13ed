extension Criteria {
  /// A value to compare with, and what it was before it became one.
  ///
  /// Two operands are equal when their values are.
  public struct Operand: Sendable, Hashable {
    /// The value as repositories compare it.
    public let value: Scalar

    /// The value as it was given, such as an `Int64` or an enum; nil for null.
    public let original: (any CriteriaValue)?

    /// Makes an operand; nil is null.
    public init(_ original: (any CriteriaValue)?) {
      self.original = original
      value = original?.criteriaValue ?? .null
    }

    /// Makes an operand of a value that was not anything else before.
    public init(_ value: Scalar) {
      self.value = value
      original = value.canonical
    }

    /// Whether the values are the same.
    public static func == (left: Operand, right: Operand) -> Bool {
      left.value == right.value
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(value)
    }
  }
}
