extension Criteria {
  /// What a model must satisfy, as a tree that a repository walks.
  ///
  /// `&&`, `||` and `!` make no tree of more than some hundred levels: criteria that would have more
  /// are refused by every repository with ``EvocationError/nestedTooDeeply(most:)``.
  public indirect enum Predicate: Sendable {
    /// The key's value compared with another; never with null, apart from `equal` and `notEqual`.
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

    /// All of them hold; true when there are none.
    case all([Predicate])

    /// At least one of them holds; false when there are none.
    case any([Predicate])

    /// It does not hold.
    case not(Predicate)
  }

  /// How two values are compared.
  public enum Comparison: String, Sendable, Hashable, Codable, CaseIterable {
    /// The same value; null equals null.
    case equal
    /// Another value; null differs from everything else.
    case notEqual
    /// Before the other.
    case less
    /// Before the other, or the same.
    case lessOrEqual
    /// After the other.
    case greater
    /// After the other, or the same.
    case greaterOrEqual
  }
}

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
