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
