extension Criteria {
  /// The condition that a model must satisfy, as a tree that a repository walks.
  ///
  /// A tree may have some hundred levels of `&&`, `||` and `!`. Every repository refuses deeper
  /// criteria with ``EvocationError/nestedTooDeeply(most:)``.
  public indirect enum Predicate: Sendable, PlainlyPrinted, Hashable, Codable {
    /// The key's value compares with another; with null, only `equal` and `notEqual` can hold.
    case comparison(Key, Comparison, Operand)

    /// The key's value is one of these.
    case isIn(Key, [Scalar])

    /// The key's value is neither less than the first nor greater than the second.
    case between(Key, Scalar, Scalar)

    /// The key's value is null.
    case isNull(Key)

    /// The key's text begins with these bytes.
    case hasPrefix(Key, String)

    /// The key's text has these bytes somewhere, or the key's list has this element.
    case contains(Key, Operand)

    /// The key's text compares with another, without what the options leave out.
    case text(Key, TextComparison, String, CompareOptions)

    /// The model's text has these words, as a full-text index finds them.
    case matching(String)

    /// The service's parameter of this name has a value; only the service knows which models match.
    case parameter(Key, Operand)

    /// All of the parts hold; true if there are none.
    case all([Predicate])

    /// At least one of the parts holds; false if there are none.
    case any([Predicate])

    /// The part does not hold.
    case not(Predicate)
  }

  /// The ways in which two values compare.
  public enum Comparison: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The same value; null equals null.
    case equal
    /// Another value; null differs from every other value.
    case notEqual
    /// A lesser value.
    case less
    /// A lesser value, or the same.
    case lessOrEqual
    /// A greater value.
    case greater
    /// A greater value, or the same.
    case greaterOrEqual
  }
}

extension Criteria {
  /// A value to compare with, and the original that it was made from.
  ///
  /// Two operands are equal if their values are equal.
  public struct Operand: Sendable, Hashable, PlainlyPrinted, Codable {
    /// The value as repositories compare it.
    public let value: Scalar

    /// The original value, such as an `Int64` or an enum; nil for null.
    public let original: (any CriteriaValue)?

    /// Creates an operand; nil is null.
    public init(_ original: (any CriteriaValue)?) {
      self.original = original
      value = original?.criteriaValue ?? .null
    }

    /// Creates an operand from a value that has no other original.
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
